import { BreakingChangeType, buildSchema, DangerousChangeType, findSchemaChanges } from 'graphql'
import { compareSchemas, isSame, type Json, type Side } from './compare-schemas.ts'

/** As much of an OpenAPI document as is compared. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Json }
}

interface Operation {
  readonly description?: string
  readonly security?: readonly Json[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
}

interface Response {
  readonly $ref?: string
  readonly headers?: Json
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema?: Json }>>

interface Compared<T> {
  readonly before: T
  readonly after: T
  readonly at: string
  readonly schemas: { readonly before: Json; readonly after: Json }
}

/** What breaks clients of the REST API of `before`; one line each. */
export function breaksOfApi(before: ApiDocument, after: ApiDocument): string[] {
  const schemas = { before: before.components.schemas, after: after.components.schemas }
  return operationsOf(before).flatMap(([at, operation]) => {
    const now = operationsOf(after).find(([it]) => it === at)?.[1]
    return now ? breaksOfOperation({ before: operation, after: now, at, schemas }) : [`${at}: removed`]
  })
}

/** `GET /assets` and its operation. */
export const operationsOf = ({ paths }: Pick<ApiDocument, 'paths'>): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, it]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      it,
    ]),
  )

function breaksOfOperation(compared: Compared<Operation>): string[] {
  const { before, after, at } = compared
  return [
    ...(scopeOf(before) === scopeOf(after)
      ? []
      : [`${at}: scope ${scopeOf(after)} instead of ${scopeOf(before)}`]),
    ...(before.security ?? [])
      .filter((it) => !(after.security ?? []).some((other) => isSame(it, other)))
      .map((it) => `${at}: is not opened by ${Object.keys(it).join(' and ')} any more`),
    ...breaksOfParameters(compared),
    ...breaksOfBody(compared),
    ...breaksOfResponses(compared),
  ]
}

/** The scope of an API key, in front of what other keys need. */
const scopeOf = ({ description = '' }: Operation): string => description.split(';')[0] ?? ''

function breaksOfParameters({ before, after, at, schemas }: Compared<Operation>): string[] {
  const nameOf = (it: Parameter) => `${it.in} ${it.name}`
  const [old, now] = [before, after].map(
    (it) => new Map((it.parameters ?? []).map((each) => [nameOf(each), each])),
  ) as [Map<string, Parameter>, Map<string, Parameter>]
  const removed = [...old.keys()].filter((name) => !now.has(name)).map((name) => `${at} ${name}: removed`)
  const required = [...now]
    .filter(([name, it]) => it.required && !old.get(name)?.required)
    .map(([name]) => `${at} ${name}: required`)
  const changed = [...old].flatMap(([name, { schema }]) => {
    const next = now.get(name)?.schema
    if (!next) return []
    return [
      ...compareSchemas(schema, next, { side: 'request', ...schemas }, `${at} ${name}`),
      ...(isSame(schema['default'], next['default']) ? [] : [`${at} ${name}: another default`]),
    ]
  })
  return [...removed, ...required, ...changed]
}

function breaksOfBody({ before, after, at, schemas }: Compared<Operation>): string[] {
  const [old, now] = [before.requestBody, after.requestBody]
  if (!old) return now?.required ? [`${at} body: required`] : []
  if (!now) return [`${at} body: removed`]
  return [
    ...(now.required && !old.required ? [`${at} body: required`] : []),
    ...breaksOfContent({ before: old.content, after: now.content, at: `${at} body`, schemas }, 'request'),
    ...changedDefaults(schemaIn(old.content), schemaIn(now.content), `${at} body`),
  ]
}

const schemaIn = (content: Content): Json => content['application/json']?.schema ?? {}

function changedDefaults(before: Json, after: Json, at: string): string[] {
  const next = (after['properties'] ?? {}) as Record<string, Json>
  return Object.entries((before['properties'] ?? {}) as Record<string, Json>)
    .filter(([name, it]) => next[name] && !isSame(it['default'], next[name]['default']))
    .map(([name]) => `${at}.${name}: another default`)
}

function breaksOfResponses({ before, after, at, schemas }: Compared<Operation>): string[] {
  return Object.entries(before.responses).flatMap(([status, old]) => {
    const now = after.responses[status]
    const place = `${at} ${status}`
    if (!now) return [`${place}: removed`]
    const headers = Object.keys(old.headers ?? {}).filter((name) => !(name in (now.headers ?? {})))
    return [
      ...headers.map((name) => `${place} header ${name}: removed`),
      ...breaksOfContent(
        { before: old.content ?? {}, after: now.content ?? {}, at: place, schemas },
        'response',
      ),
    ]
  })
}

function breaksOfContent({ before, after, at, schemas }: Compared<Content>, side: Side): string[] {
  return Object.entries(before).flatMap(([mediaType, { schema = {} }]) => {
    const now = after[mediaType]
    return now
      ? compareSchemas(schema, now.schema ?? {}, { side, ...schemas }, at)
      : [`${at} ${mediaType}: removed`]
  })
}

/** The schema of each event type's payload. */
export type EventSchemas = Readonly<Record<string, Json>>

/** What breaks receivers of the events of `before`. */
export const breaksOfEvents = (before: EventSchemas, after: EventSchemas): string[] =>
  Object.entries(before).flatMap(([type, schema]) => {
    const now = after[type]
    const comparison = { side: 'response', before: {}, after: {} } as const
    return now ? compareSchemas(schema, now, comparison, type) : [`${type}: removed`]
  })

/** What breaks clients of the GraphQL schema of `before`; with another default the same query asks for something else. */
export const breaksOfGraphql = (before: string, after: string): string[] =>
  findSchemaChanges(buildSchema(before), buildSchema(after))
    .filter(({ type }) => BREAKING.has(type))
    .map(({ description }) => description)

const BREAKING: ReadonlySet<string> = new Set([
  ...Object.values(BreakingChangeType),
  DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  DangerousChangeType.INPUT_FIELD_DEFAULT_VALUE_CHANGE,
])

/** Endpoints that are new or not what they were. */
export const changesOfApi = (before: ApiDocument, after: ApiDocument): string[] => {
  const old = new Map(operationsOf(before))
  return operationsOf(after).flatMap(([at, it]) => (isSame(old.get(at), it) ? [] : [at]))
}

/** Event types that are new or not what they were. */
export const changesOfEvents = (before: EventSchemas, after: EventSchemas): string[] =>
  Object.keys(after).filter((type) => !isSame(before[type], after[type]))
