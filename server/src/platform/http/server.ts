import { randomUUID } from 'node:crypto'
import { METHODS, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Actor, Ctx } from '../context.ts'
import { DatabaseUnavailable } from '../database/unavailable-errors.ts'
import { addressOf, API_PATH, checkBeforeBody, headerOf, type RequestPipeline } from './pipeline.ts'
import { unsupportedMediaType, type Refusal } from '../errors.ts'
import { internalError, refusalOf, refusalOfSchemaError } from './fastify-errors.ts'
import { answerOnce, parseIdempotencyKey } from './idempotency.ts'
import { declaredFields } from '../validation/declared-fields.ts'
import { readJsonBody, refuseUnstorableText } from './json-body.ts'
import type { Log } from '../observability/log.ts'
import type { Trace } from '../observability/trace.ts'
import { addRequestSpans, withinRequest } from '../observability/request-spans.ts'
import { rateLimitHeaders } from './rate-limit.ts'
import { addWriterNotes, replyingAsOf } from '../database/replica/replies.ts'
import { DOCUMENTED_AS, isNeeded, type JsonSchema } from './request-schema.ts'
import type { Input, Reply, ReplyFile, Route } from './route.ts'
import type { TSchema } from 'typebox'
import { addHeadAnswers } from '../compression/head-answers.ts'
import { addCompression } from '../compression/compression.ts'
import { answerConnectAndExpect, answerClientError, refusalOfClientError } from './connection-errors.ts'

export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly pipeline: RequestPipeline
  readonly contextFor: (tenantId: string, actor: Actor) => Ctx
  readonly log: Log
  readonly trace?: Trace | undefined
}

const HEADERS_TIMEOUT_MS = 10_000
/** How long the whole request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000
const TIMEOUTS_CHECKED_EVERY_MS = 5_000
/** How long a connection may be silent: longer than the longest statement of the database. */
const SILENCE_TIMEOUT_MS = 150_000
const HEADER_BYTES_MAX = 16_384
const JSON_TYPE = 'application/json; charset=utf-8'

/** OWASP REST Security Cheat Sheet, Security Headers: answers are data, for whoever asked, and no page. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** The Fastify server with all endpoints, not yet listening. Every REST response, errors included, is produced here. */
export function buildHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: HEADER_BYTES_MAX, querystringParser: parseQuery },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        keywords: [DOCUMENTED_AS],
      },
    },
    schemaErrorFormatter: refusalOfSchemaError,
    return503OnClosing: false,
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    frameworkErrors: (error, request, reply) => void answerBadUrl(options, error, request, reply),
    clientErrorHandler: (error, socket) =>
      answerClientError(socket, refusalOfClientError(error), clientErrorHeaders(options, socket)),
  })
  answerConnectAndExpect(app.server, (socket) => clientErrorHeaders(options, socket as Socket))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', readBody)
  app.addContentTypeParser('*', readBodyOfOtherType)
  app.decorateRequest('admitted', undefined)
  addCompression(app)
  addHeadAnswers(app)
  addWriterNotes(app)
  addRequestSpans(app, options.trace)
  app.addHook('onRequest', (request, reply) => receive(options, request, reply))
  app.addHook('preValidation', refuseUnstorableQuery)
  app.setErrorHandler((error, request, reply) => refuse(reply, refusalFor(options, error, request)))
  app.setNotFoundHandler(() => {
    throw internalError() // `checkBeforeBody` refused it before
  })
  addEndpoints(app, options)
  return app
}

/** Answers where the server can be reached. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  await app.listen({ host, port })
  const bound = app.server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`
}

const readBody = (request: FastifyRequest, stream: IncomingMessage): Promise<unknown> =>
  readJsonBody(request.headers, stream)

/**
 * The API knows no other bodies than JSON, whatever they are called. The app does: there a page of another site could
 * send the types of a form.
 */
async function readBodyOfOtherType(request: FastifyRequest, stream: IncomingMessage): Promise<unknown> {
  if (request.routeOptions.config.isOutside) throw unsupportedMediaType()
  return readBody(request, stream)
}

async function receive(options: HttpOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id })
  if (request.routeOptions.config.isOutside) return
  await checkBeforeBody(options.pipeline, request, reply)
  await request.routeOptions.config.route?.shape.findFirst?.(
    contextOf(options, request),
    request.params as Readonly<Record<string, string>>,
  )
}

/** The router found the path unreadable before any hook ran; it is counted and known all the same. */
async function answerBadUrl(
  options: HttpOptions,
  badUrl: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const error: unknown = await receive(options, request, reply).then(
    () => badUrl,
    (earlier: unknown) => earlier,
  )
  const refusal = refusalFor(options, error, request)
  refuse(reply, refusal.status === 404 ? refusalFor(options, badUrl, request) : refusal)
}

function refusalFor(options: HttpOptions, error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof DatabaseUnavailable) options.log.warn({ err: error }, 'request failed')
  const refusal = refusalOf(error)
  if (refusal) return refusal
  const { id: requestId, method, routeOptions, admitted } = request
  const tenantId = (admitted?.confined?.holder ?? admitted?.holder)?.tenant_id
  const { url: route } = routeOptions
  options.log.error({ err: error, requestId, tenantId, method, route }, 'request failed')
  return internalError()
}

function refuse(reply: FastifyReply, { status, code, message, extras }: Refusal): FastifyReply {
  const { headers, body, retryAfterSeconds } = extras
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(status)
    .headers(headers ?? {})
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: code, message, ...body }))
}

function clientErrorHeaders({ pipeline }: HttpOptions, socket: Socket): Record<string, string> {
  return {
    ...SECURITY_HEADERS,
    ...rateLimitHeaders(pipeline.admission.countClientError(socket.remoteAddress ?? '')),
  }
}

function addEndpoints(app: FastifyInstance, options: HttpOptions): void {
  for (const methods of METHODS.filter((it) => it !== 'CONNECT' && !app.supportedMethods.includes(it)))
    app.addHttpMethod(methods)
  const byPath = Map.groupBy(options.routes, ({ path }) => path)
  for (const [path, routes] of byPath) {
    for (const route of routes) addEndpoint(app, options, route)
    const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: API_PATH + path,
      config: { allowed },
      handler: () => {
        throw internalError() // `checkBeforeBody` refused it before
      },
    })
  }
}

function addEndpoint(app: FastifyInstance, options: HttpOptions, route: Route): void {
  const { query, body } = route.shape
  app.route({
    method: route.method,
    url: API_PATH + route.path,
    config: { route },
    schema: { ...(query && { querystring: query }), ...(body && { body }) },
    handler: async (request, reply) => {
      const { params, query, body } = request as unknown as Input<TSchema, TSchema>
      const ctx = replyingAsOf(reply, contextOf(options, request))
      const sent = { params, query, body }
      const input = {
        params,
        query: declared(route.shape.query, query),
        body: declared(route.shape.body, body),
        isHead: request.method === 'HEAD',
      }
      const handle = (it: Ctx): Promise<Reply> => route.handle(it, input)
      if (route.method !== 'GET') request.writer = ctx
      if (!route.shape.takesIdempotencyKey) return answer(reply, route, await handle(ctx))
      const key = parseIdempotencyKey(headerOf(request, 'idempotency-key'))
      const keyed = { key, endpoint: `${route.method} ${route.path}`, content: sent }
      return answer(reply, route, await answerOnce(ctx, keyed, handle))
    },
  })
}

const declared = <T>(schema: TSchema | undefined, value: T): T =>
  schema ? (declaredFields(schema as unknown as JsonSchema, value) as T) : value

/** The scope was checked before the handler, so a key has every permission. */
const contextOf = (options: HttpOptions, request: FastifyRequest): Ctx =>
  withinRequest(callerOf(options, request), request)

function callerOf({ pipeline, contextFor }: HttpOptions, request: FastifyRequest): Ctx {
  const { holder, confined } = request.admitted ?? {}
  const address = addressOf(pipeline, request)
  if (confined) {
    const { kind, may } = pipeline.confinedKeys
    const { id, tenant_id: tenantId, owner_id: to, scopes } = confined.holder
    return contextFor(tenantId, { kind, id, address, may, confined: { to, scopes } })
  }
  if (!holder) throw new Error('a handler was reached without a caller')
  const { kind } = pipeline.authenticator
  const { limited_to: limitedTo } = holder
  return contextFor(holder.tenant_id, {
    kind,
    id: holder.id,
    address,
    may: () => true,
    ...(typeof limitedTo === 'string' && { limitedTo }),
  })
}

function answer(reply: FastifyReply, route: Route, { json, file, headers }: Reply): FastifyReply {
  reply.code(route.shape.status ?? 200).headers(headers ?? {})
  reply.isCompressible = route.method === 'GET' && file?.bytes === undefined
  if (route.method === 'GET' && isAtCaller(headerOf(reply.request, 'if-none-match'), headers?.['etag']))
    return answerNotModified(reply, file)
  if (file?.bytes !== undefined) reply.header('content-length', String(file.bytes))
  if (file) return reply.type(file.mediaType).send(file.content)
  return json === undefined ? reply.send() : reply.type(JSON_TYPE).send(JSON.stringify(json))
}

/** RFC 9110 §13.1.2: tags are compared without their weakness, and `*` stands for whatever is there. */
function isAtCaller(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false)
}

function answerNotModified(reply: FastifyReply, file: ReplyFile | undefined): FastifyReply {
  if (file?.content instanceof Readable) file.content.destroy()
  return reply.code(304).send()
}

/** As the WHATWG URL Standard reads a form; a repeated parameter becomes a list, which no schema takes for a text. */
function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, never>
  const parameters = new URLSearchParams(text)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    query[name] = values.length === 1 ? (values[0] as string) : values
  }
  return query
}

async function refuseUnstorableQuery({ query, routeOptions }: FastifyRequest): Promise<void> {
  const { properties } = (routeOptions.config.route?.shape.query ?? {}) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
  }
  for (const [name, value] of Object.entries(query as object))
    // what the verb needs it refuses itself, with a code of its own
    if (!isNeeded(properties?.[name] ?? {})) refuseUnstorableText(name, String(value))
}

/** RFC 9112 §3.2.2: a server takes `GET http://host/path` as well. */
const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
