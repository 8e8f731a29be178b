import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Admitted, Authenticator } from './authentication.ts'
import { clientAddress, type IsTrusted } from './client-address.ts'
import {
  INVALID_KEY,
  invalidBody,
  lacksScope,
  methodNotAllowed,
  MISSING_KEY,
  notFound,
  tooMany,
  unauthorized,
} from '../errors.ts'
import { isOver, rateLimitHeaders } from './rate-limit.ts'
import type { Route } from './route.ts'
import { isUuid } from '../uuid.ts'

/** Everything below it is the REST API: authentication comes before 404, so that paths cannot be probed. */
export const API_PATH = '/api/v1'

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined
  }
  interface FastifyContextConfig {
    /** The endpoint, where there is one. */
    readonly route?: Route
    /** The methods of a path, where the request's method is none of them. */
    readonly allowed?: readonly string[]
    /** Not part of the REST API: neither counted nor guarded here. */
    readonly isOutside?: true
  }
}

export interface RequestPipeline {
  readonly admission: Admission
  readonly authenticator: Authenticator
  readonly isTrustedProxy: IsTrusted
}

/**
 * The checks before the body is read, in this order: rate limit (429), authentication (401), path (404), method (405),
 * scope (403), form of the id (404).
 */
export async function checkBeforeBody(
  pipeline: RequestPipeline,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers(rateLimitHeaders(pipeline.admission.unknown()))
  const credential = headerOf(request, 'x-api-key')
  const admitted = await pipeline.admission.admit(credential, () => addressOf(pipeline, request))
  request.admitted = admitted
  reply.headers(rateLimitHeaders(admitted.allowance))
  if (isOver(admitted.allowance)) throw tooMany(admitted.allowance.secondsLeft)
  refuseWithoutHost(request)
  if (isBelowApi(request)) refuseStranger(credential, admitted)
  const { route, allowed } = request.routeOptions.config
  if (allowed) throw methodNotAllowed(allowed)
  if (!route) throw notFound('endpoint')
  const missing = pipeline.authenticator.missingScope(
    admitted.holder?.scopes ?? [],
    request.method,
    route.path,
  )
  if (missing) throw lacksScope(missing)
  refuseImpossibleId(route, request.params as Record<string, string>)
}

/** The client, past the proxies that are trusted. */
export const addressOf = (
  { isTrustedProxy }: Pick<RequestPipeline, 'isTrustedProxy'>,
  request: FastifyRequest,
): string =>
  clientAddress(request.socket.remoteAddress ?? '', headerOf(request, 'x-forwarded-for'), isTrustedProxy)

/** An empty header is no header. Node joins repeated ones with a comma. */
export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return value === undefined || value.length === 0 ? undefined : String(value)
}

/** RFC 9112 §3.2. Node's own check is disabled, because its answer would lack our headers. */
function refuseWithoutHost({ raw }: FastifyRequest): void {
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) throw invalidBody('Host: is required')
}

function isBelowApi({ url }: FastifyRequest): boolean {
  return url.startsWith(API_PATH) && ['', '/', '?'].includes(url.charAt(API_PATH.length))
}

function refuseStranger(credential: string | undefined, { holder }: Admitted): void {
  if (credential === undefined) throw unauthorized(MISSING_KEY)
  if (!holder) throw unauthorized(INVALID_KEY)
}

function refuseImpossibleId(route: Route, params: Readonly<Record<string, string>>): void {
  const impossible = Object.keys(params).find((name) => /^id$|Id$/.test(name) && !isUuid(params[name] ?? ''))
  if (impossible !== undefined) throw notFound(nounBefore(impossible, route.path))
}

/** Of `/assets/:id` it is `asset`: the answer is the same as for an id that does not exist. */
function nounBefore(name: string, path: string): string {
  const segments = path.split('/')
  const plural = segments[segments.indexOf(`:${name}`) - 1] ?? ''
  return plural.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')
}
