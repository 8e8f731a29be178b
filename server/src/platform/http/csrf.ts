import type { FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

/** What the app asks for names the tenant in its address, as its screens do: `/t/<slug>/graphql`. */
export const TENANT_PATH = '/t/:tenant'

/** Sent by the app's own scripts; a page of another site cannot add it without being asked first (CORS), and is refused. */
const OWN_HEADER = 'x-rollcall'

/**
 * Refuses what a page of another site could make a browser send with the cookies of whoever looks at it
 * (OWASP Cross-Site Request Forgery Prevention Cheat Sheet: a custom header, and what the browser says of the origin).
 */
export function refuseCrossSite(request: FastifyRequest): void {
  refuseCrossOrigin(request)
  if (request.headers[OWN_HEADER] !== '1') throw forbidden(`the header ${OWN_HEADER}: 1 is required`)
}

/** For links and streams of our own pages, to which a browser adds no header of ours. They change nothing. */
export function refuseCrossOrigin({ headers }: FastifyRequest): void {
  if (headers['x-api-key'] !== undefined) throw forbidden('an API key is not taken here; sign in')
  if (!isFromOwnPage(headers)) throw forbidden('requests from other sites are refused')
}

/** What browsers say of the site is decisive; those that do not say it (W3C Fetch Metadata) name the origin. */
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
