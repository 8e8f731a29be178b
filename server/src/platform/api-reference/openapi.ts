import type { TSchema } from 'typebox'
import { API_PATH } from '../http/pipeline.ts'
import {
  anyValueSchema,
  bodySchema,
  isNeeded,
  parameterSchema,
  type JsonSchema,
} from '../http/request-schema.ts'
import { isPaged, listHeaderSentences } from '../http/paging.ts'
import { bracedPath, mediaTypesOf, type Deprecation, type Route } from '../http/route.ts'

export interface OpenApiOptions {
  readonly title: string
  readonly version: string
  /** The scope that a request needs; `path` as routes write it. */
  readonly scopeOf: (method: string, path: string) => string
  /** The second kind of key, for the endpoints that take it. */
  readonly confinedKeys: SecondScheme
}

interface SecondScheme {
  /** Of the security scheme. */
  readonly name: string
  /** As it is written: X-Some-Key. */
  readonly header: string
  /** Of its rate headers, before -Limit, -Remaining and -Reset. */
  readonly rateHeaderPrefix: string
}

type Json = Readonly<Record<string, unknown>>

/** The endpoints as an OpenAPI 3.1 document, made from what the router itself reads. */
export function openApiDocument(routes: readonly Route[], options: OpenApiOptions): Json {
  const paths = [...Map.groupBy(routes, ({ path }) => path)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, those]) => [
      bracedPath(path),
      Object.fromEntries(those.map((it) => [it.method.toLowerCase(), operation(it, options)])),
    ])
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_PATH }],
    security: [{ apiKey: [] }],
    paths: titled(Object.fromEntries(paths)) as Json,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        [options.confinedKeys.name]: { type: 'apiKey', in: 'header', name: options.confinedKeys.header },
      },
      schemas: { Error: errorSchema, AnyValue: anyValueSchema },
      headers: {
        ...rateLimitHeaders,
        ...ownerRateHeaders(options.confinedKeys),
        ...listedHeaders,
        'Retry-After': header('Seconds after which to send the request again.'),
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [status, refusal(status, description)]),
      ),
    },
  }
}

const refusals: Readonly<Record<string, string>> = {
  400: 'The body is not valid JSON, a required field is missing, or a value is not allowed; the message names the field.',
  401: 'The API key is missing, unknown, revoked or expired.',
  403: 'The API key lacks the scope that the message names.',
  404: 'There is no such thing in the tenant.',
  409: 'The request conflicts with the state of the thing.',
  410: 'The endpoint was deprecated and is gone.',
  413: 'The body is too large.',
  415: 'The body is compressed, or in another character set than UTF-8.',
  429: 'The rate limit is exceeded; the body also has retry_after, in seconds.',
  500: 'The request could not be completed.',
  503: 'The database does not answer, or too many lists are worked out at the same time; send the request again after Retry-After. The message says if it may have been taken.',
}

/** The shapes of routes have names. As `$id`, twice in one document, they would keep validators from reading it. */
function titled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(titled)
  if (typeof value !== 'object' || value === null) return value
  const { $id: title, ...rest } = value as Json
  const inner = Object.entries(rest).map(([name, it]) => [name, titled(it)] as const)
  return { ...(title !== undefined && { title }), ...Object.fromEntries(inner) }
}

const errorSchema = {
  type: 'object',
  required: ['error', 'message'],
  properties: {
    error: { type: 'string', description: 'machine code' },
    message: { type: 'string', description: 'readable text' },
    retry_after: { type: 'number', description: 'seconds; with rate_limit_exceeded only' },
  },
}

const rateLimitHeaders = {
  'X-RateLimit-Limit': header('Requests a minute.'),
  'X-RateLimit-Remaining': header('Requests left in the running minute.'),
  'X-RateLimit-Reset': header('When the running minute ends, in Unix seconds.'),
}

const references = (headers: Json): Json =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const rateLimitReferences = references(rateLimitHeaders)

const ownerRateHeaders = ({ header: key, rateHeaderPrefix: prefix }: SecondScheme): Json => ({
  [`${prefix}-Limit`]: header(`With ${key}: requests a minute of all keys of the same owner.`),
  [`${prefix}-Remaining`]: header(`With ${key}: those left in the running minute.`),
  [`${prefix}-Reset`]: header(`With ${key}: when that minute ends, in Unix seconds.`),
})

function header(description: string): Json {
  return { description, schema: { type: 'integer' } }
}

/** 409 has it with `report_not_ready` alone. */
const WITH_RETRY_AFTER = ['409', '429', '503']

function refusal(status: string, description: string): Json {
  const schema = { $ref: '#/components/schemas/Error' }
  const headers = {
    ...rateLimitReferences,
    ...(WITH_RETRY_AFTER.includes(status) && references({ 'Retry-After': true })),
  }
  return { description, headers, content: { 'application/json': { schema } } }
}

const notModified: Json = {
  description: 'If-None-Match names the ETag; there is no body.',
  headers: rateLimitReferences,
}

const listedHeaders = Object.fromEntries(
  Object.entries(listHeaderSentences).map(([name, description]) => [
    name,
    name === 'X-Next-Cursor' ? textHeader(description) : header(description),
  ]),
)

function textHeader(description: string): Json {
  return { description, schema: { type: 'string' } }
}

function replyHeadersOf(
  { query, confinedScope, replyHeaders = {} }: Route['shape'],
  { confinedKeys }: OpenApiOptions,
): Json {
  return {
    ...rateLimitReferences,
    ...(confinedScope !== undefined && references(ownerRateHeaders(confinedKeys))),
    ...(isPaged(query) && references(listedHeaders)),
    ...Object.fromEntries(Object.entries(replyHeaders).map(([name, it]) => [name, textHeader(it)])),
  }
}

function operation({ method, path, shape }: Route, options: OpenApiOptions): Json {
  const { scopeOf, confinedKeys } = options
  const { query, body, status = 200, summary, confinedScope, deprecated, reply } = shape
  const expected = ['400', '401', '403', ...(path.includes(':') || body ? ['404'] : [])]
  const forBody = body ? ['409', '413', '415'] : method === 'GET' && !shape.mayConflict ? [] : ['409']
  const files = mediaTypesOf(shape)
  const content = files
    ? Object.fromEntries(files.map((type) => [type, {}]))
    : { 'application/json': { schema: reply } }
  return {
    summary,
    operationId: operationId(method, path),
    description:
      `Scope: ${scopeOf(method, path)}` +
      (confinedScope === undefined ? '' : `; with ${confinedKeys.header}: ${confinedScope}`),
    ...(deprecated && { deprecated: true, 'x-deprecation': deprecationText(deprecated) }),
    ...(confinedScope !== undefined && { security: [{ apiKey: [] }, { [confinedKeys.name]: [] }] }),
    parameters: [
      ...pathParameters(path, shape),
      ...queryParameters(query),
      ...(shape.takesIdempotencyKey ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: bodySchema(body as JsonSchema) } },
      },
    }),
    responses: {
      [status]: { description: 'Success.', headers: replyHeadersOf(shape, options), content },
      ...(shape.replyHeaders?.['ETag'] !== undefined && { '304': notModified }),
      ...Object.fromEntries(
        [...expected, ...forBody, ...(deprecated ? ['410'] : []), '429', '500', '503'].map((it) => [
          it,
          { $ref: `#/components/responses/${it}` },
        ]),
      ),
    },
  }
}

/** The bare text, or a String of RFC 8941 as the draft of the header asks for; with escapes it is taken, too. */
const IDEMPOTENCY_KEY = '^([!#-~][!-~]{0,254}|"[!#-\\[\\]-~]{1,255}")$'

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of the caller: within 24 hours the same request with the same key is carried out once and answered the same each time; another request with it is refused with 409.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY },
}

/** `GET /assets/:id/export` is `getAssetsIdExport`. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() + path.replaceAll(/[^a-z]+([a-z])/gi, (_, letter: string) => letter.toUpperCase())

function pathParameters(path: string, { takesAnyId }: Pick<Route['shape'], 'takesAnyId'>): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(!takesAnyId && { format: 'uuid' }) },
  }))
}

interface Declared {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

function queryParameters(query: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as Declared
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) || isNeeded(schema),
    schema: parameterSchema(schema),
  }))
}

/** The reason of a deprecated field of GraphQL says the same. */
export const deprecationText = ({ since, sunset, link }: Deprecation): string =>
  `Deprecated since ${since}, gone from ${sunset} on; use ${link}`
