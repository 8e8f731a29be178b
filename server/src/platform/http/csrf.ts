import type { FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

/** Requests of the app name the tenant in the path, as its screens do: `/t/<slug>/graphql`. */
export const TENANT_PATH = '/t/:tenant'

/** Sent by the app's own scripts. A page of another origin can add it only after a CORS preflight, which is refused. */
const OWN_HEADER = 'x-rollcall'

/**
 * Refuses requests that a page of another site could make a browser send with the user's cookies
 * (OWASP Cross-Site Request Forgery Prevention Cheat Sheet: a custom header, Fetch Metadata and Origin).
 */
export function refuseCrossSite(request: FastifyRequest): void {
  refuseCrossOrigin(request)
  if (request.headers[OWN_HEADER] !== '1') throw forbidden(`the header ${OWN_HEADER}: 1 is required`)
}

/** For downloads and event streams, to which a page cannot add the custom header. They must change nothing. */
export function refuseCrossOrigin({ headers }: FastifyRequest): void {
  if (headers['x-api-key'] !== undefined) throw forbidden('an API key is not taken here; sign in')
  if (!isFromOwnPage(headers)) throw forbidden('requests from other sites are refused')
}

/** Sec-Fetch-Site decides (W3C Fetch Metadata); for browsers that do not send it, Origin must equal Host. */
function isFromOwnPage({ origin, host, ...headers }: FastifyRequest['headers']): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || hostOf(origin) === host
}

/** The slug in the address of a request below `TENANT_PATH`. */
export const tenantNamedBy = ({ params }: FastifyRequest): string =>
  (params as { readonly tenant?: string }).tenant ?? ''

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
