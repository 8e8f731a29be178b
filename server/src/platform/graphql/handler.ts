import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  execute,
  getOperationAST,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql'
import { Type, type Static } from 'typebox'
import type { Ctx } from '../context.ts'
import { DatabaseUnavailable } from '../database/unavailable-errors.ts'
import { invalidBody, methodNotAllowed, Refusal, unavailable } from '../errors.ts'
import { internalError } from '../http/fastify-errors.ts'
import { refuseBomb, refuseDeepText, TOKENS_MAX } from './limits.ts'
import { refuseCrossSite, TENANT_PATH } from '../http/csrf.ts'
import { replyingAsOf } from '../database/replica/replies.ts'

export interface GraphqlOptions {
  readonly schema: GraphQLSchema
  /** Who asks, by the session cookie, in the tenant of the address; refuses whoever has no session, or is no member. */
  readonly contextOf: (request: FastifyRequest) => Promise<Ctx>
}

const PATH = `${TENANT_PATH}/graphql`
const ERRORS_MAX = 10
/** The app asks the same few questions over and over. */
const DOCUMENTS_CACHED_MAX = 200
const QUERY_LENGTH_MAX = 32_768

const Body = Type.Object({
  query: Type.String({ maxLength: QUERY_LENGTH_MAX }),
  variables: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  operationName: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  extensions: Type.Optional(Type.Unknown()),
})

/** For people who are signed in, from the app's own pages: one operation a request, by POST. */
export function addGraphql(app: FastifyInstance, { schema, contextOf }: GraphqlOptions): void {
  const config = { isOutside: true } as const
  const documents = new Map<string, DocumentNode>()
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'POST'),
    url: PATH,
    config,
    handler: () => {
      throw methodNotAllowed(['POST'])
    },
  })
  app.post<{ Body: Static<typeof Body> }>(PATH, {
    config,
    schema: { body: Body },
    onRequest: async (request) => refuseCrossSite(request),
    handler: async (request, reply) => {
      const ctx = replyingAsOf(reply, await contextOf(request))
      try {
        const document = documentOf(schema, documents, request.body.query)
        reply.isCompressible = isQuery(document, request.body)
        if (!reply.isCompressible) request.writer = ctx
        return await answer(schema, ctx, document, request.body)
      } catch (error) {
        return { errors: toGraphqlErrors(error, (bug) => report(ctx, bug)) }
      }
    },
  })
}

const report = (ctx: Ctx, error: unknown): void => ctx.log.error({ err: error }, 'GraphQL request failed')

function documentOf(schema: GraphQLSchema, cache: Map<string, DocumentNode>, query: string): DocumentNode {
  const known = cache.get(query)
  if (known) return known
  refuseDeepText(query)
  const document = parse(query, { maxTokens: TOKENS_MAX, noLocation: false })
  refuseBomb(document)
  const faults = validate(schema, document, specifiedRules, {
    maxErrors: ERRORS_MAX,
    hideSuggestions: false,
  })
  if (faults.length > 0) throw new AggregateError(faults)
  if (cache.size >= DOCUMENTS_CACHED_MAX) cache.delete(cache.keys().next().value ?? '')
  cache.set(query, document)
  return document
}

/** Only answers to mutations carry new secrets; they must not be compressed (BREACH). */
const isQuery = (document: DocumentNode, { operationName }: Static<typeof Body>): boolean =>
  getOperationAST(document, operationName)?.operation === 'query'

async function answer(
  schema: GraphQLSchema,
  ctx: Ctx,
  document: DocumentNode,
  { variables, operationName }: Static<typeof Body>,
): Promise<object> {
  const { data, errors } = await execute({
    schema,
    document,
    contextValue: ctx,
    variableValues: variables ?? null,
    operationName: operationName ?? null,
  })
  const bug = (error: unknown) => report(ctx, error)
  return {
    ...(data !== undefined && { data }),
    ...(errors && { errors: errors.flatMap((it) => toGraphqlErrors(it, bug)) }),
  }
}

interface ErrorEntry {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

/** Maps an invalid document, a Refusal or a bug to GraphQL errors. A bug is logged and answered with one fixed sentence. */
function toGraphqlErrors(error: unknown, report: (bug: unknown) => void): ErrorEntry[] {
  if (error instanceof AggregateError)
    return error.errors.flatMap((it: unknown) => toGraphqlErrors(it, report))
  if (!(error instanceof GraphQLError)) return [refusalToError(error, report)]
  const { originalError: cause, path } = error
  if (cause === undefined || path === undefined) return [refusalToError(invalidBody(error.message), report)]
  return [{ ...refusalToError(cause, report), path }]
}

function refusalToError(error: unknown, report: (bug: unknown) => void): ErrorEntry {
  if (!(error instanceof Refusal)) report(error)
  if (error instanceof DatabaseUnavailable) return unavailableToError(error)
  const { message, code, extras } = error instanceof Refusal ? error : internalError()
  const { field, body, details } = extras
  return {
    message,
    extensions: { code, ...(field !== undefined && { field: camelCase(field) }), ...body, ...details },
  }
}

/** `retryAfter` in seconds, as in the Retry-After header of the REST API. */
const unavailableToError = ({ mayBeTaken }: DatabaseUnavailable): ErrorEntry => {
  const { message, extras } = unavailable(mayBeTaken)
  return { message, extensions: { code: 'UNAVAILABLE', retryAfter: extras.retryAfterSeconds } }
}

/** Verbs name fields as scripts write them, the app writes them as GraphQL does. */
const camelCase = (field: string): string =>
  field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
