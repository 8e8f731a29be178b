import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { Admission, Admitted, Authenticators, ConfinedKeys } from './authentication.ts'
import type { Misdirection } from '../cells/misdirected.ts'
import { clientAddress, type IsTrusted } from './client-address.ts'
import {
  gone,
  INVALID_KEY,
  invalidBody,
  lacksScope,
  methodNotAllowed,
  MISSING_KEY,
  notFound,
  tooMany,
  unauthorized,
} from '../errors.ts'
import { rateLimitHeaders, secondsOver } from './rate-limit.ts'
import type { Deprecation, Route } from './route.ts'
import { isUuid } from '../uuid.ts'

/** Everything below it is the REST API: authentication comes before 404, so that paths cannot be probed. */
export const API_PATH = '/api/v1'

const SCOPED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

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

export interface RequestPipeline extends Authenticators {
  readonly admission: Admission
  readonly now: () => Date
  readonly isTrustedProxy: IsTrusted
  /** Absent where this installation is the only one. */
  readonly misdirection?: Misdirection | undefined
}

/**
 * The checks before the body is read, in this order: rate limit (429), one kind of key (400), authentication (401), scope
 * of an API key where path or method are not ours (403), path (404), method (405), still there (410), the route takes this
 * kind of key (403) and from this owner (404), scope (403), form of the id (404).
 */
export async function checkBeforeBody(
  pipeline: RequestPipeline,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { route, allowed } = endpointOf(request)
  if (route?.shape.deprecated) reply.headers(deprecationHeaders(route.shape.deprecated))
  const { confinedKeys } = pipeline
  const keys = keysOf(request, confinedKeys)
  const address = (): string => addressOf(pipeline, request)
  const { admission } = pipeline
  const admitting = keys.confined
    ? admission.admitConfined(keys.confined, address())
    : admission.admit(keys.key, address)
  const admitted = await admitting.catch((error: unknown) => {
    reply.headers(rateLimitHeaders(admission.unknown()))
    throw error
  })
  request.admitted = admitted
  reply.headers(rateLimitHeaders(admitted.allowance))
  const own = admitted.confined?.allowance
  if (own) reply.headers(rateLimitHeaders(own, confinedKeys.rateHeaderPrefix))
  const seconds = secondsOver([admitted.allowance, ...(own ? [own] : [])])
  if (seconds !== undefined) throw tooMany(seconds)
  refuseWithoutHost(request)
  if (keys.areBoth) throw invalidBody(confinedKeys.bothHeaders)
  if (keys.confined && !admitted.confined) {
    await pipeline.misdirection?.refuseKey(keys.confined)
    throw unauthorized(confinedKeys.invalidKey)
  }
  if (isBelow(pathOf(request), API_PATH) && !keys.confined)
    await refuseStranger(keys.key, admitted, pipeline.misdirection)
  if (!route) refuseStrayBeyondScope(pipeline.authenticator, request, admitted)
  if (allowed) throw methodNotAllowed(allowed)
  if (!route) throw notFound('endpoint')
  refuseAfterSunset(route, pipeline.now())
  refuseBeyondScope(pipeline, request, { route, admitted })
  if (!route.shape.takesAnyId) refuseImpossibleId(route, request.params as Record<string, string>)
}

/** None where a parameter of the path is empty, as in /scans/: the router takes that for one that was given. */
function endpointOf({
  routeOptions,
  params,
}: FastifyRequest): Pick<FastifyContextConfig, 'route' | 'allowed'> {
  const isFull = Object.values((params ?? {}) as object).every((value) => value !== '')
  return isFull ? routeOptions.config : {}
}

interface Keys {
  readonly key: string | undefined
  /** Present on a request that is known by this key. */
  readonly confined: string | undefined
  /** Both headers were sent where only one may be, empty ones included. */
  readonly areBoth: boolean
}

function keysOf(request: FastifyRequest, { header, path }: ConfinedKeys): Keys {
  const key = headerOf(request, 'x-api-key')
  const mayBeConfined = isBelow(pathOf(request), API_PATH + path)
  const areBoth = [header, 'x-api-key'].every((name) => request.headers[name] !== undefined)
  if (!mayBeConfined || areBoth) return { key, confined: undefined, areBoth: mayBeConfined && areBoth }
  return { key, confined: headerOf(request, header), areBoth }
}

/** RFC 9745 (Deprecation, a structured-field date), RFC 8594 (Sunset) and the link relation `deprecation`. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${link}>; rel="deprecation"; type="text/html"`,
  }
}

function refuseAfterSunset({ shape: { deprecated } }: Route, now: Date): void {
  if (deprecated && now.getTime() >= Date.parse(deprecated.sunset)) throw gone(deprecated.link)
}

function refuseBeyondScope(
  { authenticator, confinedKeys }: Authenticators,
  { method, params }: FastifyRequest,
  { route, admitted }: { readonly route: Route; readonly admitted: Admitted },
): void {
  if (admitted.confined) {
    const refusal = confinedKeys.refusalOf(
      admitted.confined.holder,
      route,
      params as Readonly<Record<string, string>>,
    )
    if (refusal) throw refusal
    return
  }
  const missing = authenticator.missingScope(admitted.holder?.scopes ?? [], method, route.path)
  if (missing) throw lacksScope(missing)
}

/** The method decides the scope, whether or not anything is at the path; of methods that no scope is for, nothing is said. */
function refuseStrayBeyondScope(
  { missingScope }: Authenticators['authenticator'],
  request: FastifyRequest,
  { holder }: Admitted,
): void {
  const path = pathOf(request)
  if (!holder || !SCOPED_METHODS.has(request.method) || !isBelow(path, API_PATH)) return
  const missing = missingScope(holder.scopes, request.method, path.slice(API_PATH.length))
  if (missing) throw lacksScope(missing)
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

/** As the router reads it: of the endpoint's pattern, or of the address where none fits. */
function pathOf({ url, routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? url.replace(/[?#].*$/s, '')
}

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`)

async function refuseStranger(
  credential: string | undefined,
  { holder }: Admitted,
  misdirection: Misdirection | undefined,
): Promise<void> {
  if (credential === undefined) throw unauthorized(MISSING_KEY)
  if (holder) return
  await misdirection?.refuseKey(credential)
  throw unauthorized(INVALID_KEY)
}

/** The first of them: whatever comes after it in the path is looked for once that is found. */
function refuseImpossibleId(route: Route, params: Readonly<Record<string, string>>): void {
  const first = Object.keys(params).find((name) => /^id$|Id$/.test(name))
  if (first !== undefined && !isUuid(params[first] ?? '')) throw notFound(nounBefore(first, route.path))
}

/** Of `/assets/:id` it is `asset`: the answer is the same as for an id that does not exist. */
function nounBefore(name: string, path: string): string {
  const segments = path.split('/')
  const plural = segments[segments.indexOf(`:${name}`) - 1] ?? ''
  return plural.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', ' ')
}
