import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { IsTrusted } from './client-address.ts'
import type { Actor, Ctx } from '../context.ts'
import { addressOf } from './pipeline.ts'
import { forbidden, invalidBody } from '../errors.ts'
import { refuseCrossSite } from './csrf.ts'

/** The request context of a session endpoint, before anybody is authenticated. */
export interface Visit {
  readonly system: Ctx
  readonly contextFor: (tenantId: string, actor: Actor) => Ctx
  /** The value of the session cookie. */
  readonly token: string | undefined
  readonly address: string
  readonly userAgent: string
  /** The origin and path under which the browser sees the app, without a trailing slash. */
  readonly site: string
  /** The whole address that was asked for. */
  readonly url: URL
  readonly params: Readonly<Record<string, string>>
  readonly cookie: (name: string) => string | undefined
}

export interface SessionReply {
  readonly json?: unknown
  /** Where the browser goes instead. */
  readonly location?: string
  /** Of the session: sets the cookie, or with null takes it away. */
  readonly token?: string | null
  readonly cookies?: readonly Cookie[]
}

/** Empty, it is taken away. Without `maxAgeSeconds` it ends with the browser. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly maxAgeSeconds?: number
}

/** An endpoint for people who may not have a session yet, as data. */
export interface SessionRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below /session. */
  readonly path: string
  readonly body?: TSchema
  /** Reached by a link or a redirect, so also from other sites. It must prove by itself that it was meant. */
  readonly isLink?: true
  readonly handle: (visit: Visit, body: never) => Promise<SessionReply>
}

export interface SessionRoutesOptions {
  readonly routes: readonly SessionRoute[]
  readonly system: Ctx
  readonly contextFor: Visit['contextFor']
  readonly isTrustedProxy: IsTrusted
  /** The app's public URL; taken from the request unless given. */
  readonly publicUrl: string | undefined
}

const PATH = '/session'
export const SESSION_COOKIE = 'rollcall_session'

/** Declares an endpoint; the body has been checked against its schema. */
export function sessionRoute<B>(
  method: SessionRoute['method'],
  path: string,
  body: TSchema | undefined,
  handle: (visit: Visit, body: B) => Promise<SessionReply>,
): SessionRoute {
  return { method, path, ...(body && { body }), handle }
}

/** Endpoints below /session, which take and set cookies. They accept no API key and no cross-site request. */
export function addSessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): void {
  for (const route of options.routes)
    app.route({
      method: route.method,
      url: PATH + route.path,
      config: { isOutside: true },
      schema: { ...(route.body && { body: route.body }) },
      onRequest: async (request) => (route.isLink ? refuseKey(request) : refuseCrossSite(request)),
      handler: async (request, reply) => {
        const visit = visitOf(options, request)
        return answer(visit, await route.handle(visit, request.body as never), reply)
      },
    })
}

/** The value of the session cookie of a request. */
export const sessionTokenOf = (request: FastifyRequest): string | undefined =>
  cookieOf(request, SESSION_COOKIE)

function refuseKey({ headers }: FastifyRequest): void {
  if (headers['x-api-key'] !== undefined) throw forbidden('an API key is not taken here; sign in')
}

function visitOf(options: SessionRoutesOptions, request: FastifyRequest): Visit {
  const { system, contextFor, publicUrl } = options
  const { host, 'user-agent': userAgent = '' } = request.headers
  const site = publicUrl ?? `http://${host}`
  if (!host || !URL.canParse(site)) throw invalidBody('Host: is required')
  return {
    system,
    contextFor,
    token: sessionTokenOf(request),
    address: addressOf(options, request),
    userAgent,
    site,
    url: new URL(site + request.url),
    params: request.params as Record<string, string>,
    cookie: (name) => cookieOf(request, name),
  }
}

/** RFC 6265 §5.4; ours are of letters and digits. Of two with one name, none: somebody else set one of them. */
function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined
}

function answer(
  visit: Visit,
  { json, location, token, cookies = [] }: SessionReply,
  reply: FastifyReply,
): FastifyReply {
  const all =
    token === undefined ? cookies : [...cookies, { name: SESSION_COOKIE, value: token ?? '', path: '/' }]
  const isSecure = visit.site.startsWith('https:')
  for (const cookie of all) reply.header('set-cookie', cookieText(cookie, isSecure))
  // The URL may hold a secret, such as an authorization code, that must not reach other sites.
  reply.header('referrer-policy', 'no-referrer')
  if (location !== undefined) return reply.redirect(location, 303)
  return json === undefined ? reply.code(204).send() : reply.send(json)
}

/** OWASP Session Management Cheat Sheet: HttpOnly, Secure (over HTTPS) and SameSite. */
function cookieText({ name, value, path, maxAgeSeconds }: Cookie, isSecure: boolean): string {
  const age = value === '' ? 0 : maxAgeSeconds
  return [
    `${name}=${value}`,
    `Path=${path}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
  ].join('; ')
}
