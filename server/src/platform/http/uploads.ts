import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { invalidBody, tooLarge } from '../errors.ts'
import { refuseCrossOrigin, refuseCrossSite, TENANT_PATH } from './csrf.ts'
import { replyingAsOf } from '../database/replica/replies.ts'
import type { Reply } from './route.ts'

/** A file that people bring or fetch in the app, as data: what is too large or too long for GraphQL. */
export interface FileRoute {
  /** To fetch is to GET, to bring is to POST. */
  readonly method: 'GET' | 'POST'
  /** Below /t/<slug>/files. */
  readonly path: string
  readonly handle: (ctx: Ctx, input: FileInput) => Promise<Reply>
}

export interface FileInput {
  readonly query: Readonly<Record<string, string | undefined>>
  /** The file that was brought, of at most 20 MB; empty for GET. */
  readonly content: AsyncIterable<Buffer>
  /** As of endpoints of the API: nothing may happen. */
  readonly isHead?: boolean
}

export interface FileRoutesOptions {
  readonly routes: readonly FileRoute[]
  readonly contextOf: (request: FastifyRequest) => Promise<Ctx>
}

const PATH = `${TENANT_PATH}/files`
const BYTES_MAX = 20_000_000
const MEDIA_TYPE = 'application/octet-stream'

/** For people who are signed in, from the app's own pages. */
export async function addFileRoutes(
  app: FastifyInstance,
  { routes, contextOf }: FileRoutesOptions,
): Promise<void> {
  const config = { isOutside: true } as const
  await app.register(async (scope) => {
    scope.addContentTypeParser(MEDIA_TYPE, async (_: FastifyRequest, stream: unknown) => stream)
    for (const { method, path, handle } of routes)
      scope.route({
        method,
        url: PATH + path,
        config,
        bodyLimit: BYTES_MAX,
        onRequest: async (request) => (method === 'GET' ? refuseCrossOrigin(request) : refuseUnfit(request)),
        handler: async (request, reply) => {
          const ctx = replyingAsOf(reply, await contextOf(request))
          if (method === 'POST') request.writer = ctx
          const content = (request.body ?? nothing()) as AsyncIterable<Buffer>
          const query = request.query as FileInput['query']
          return answer(reply, await handle(ctx, { query, content, isHead: request.method === 'HEAD' }))
        },
      })
  })
}

async function* nothing(): AsyncIterable<Buffer> {}

/** The length is known before anything is taken, so that no file is taken by half. */
function refuseUnfit(request: FastifyRequest): void {
  refuseCrossSite(request)
  const length = request.headers['content-length']
  if (length === undefined) throw invalidBody('Content-Length: is required')
  if (Number(length) > BYTES_MAX) throw tooLarge(BYTES_MAX)
}

function answer(reply: FastifyReply, { json, file, headers }: Reply): FastifyReply {
  reply.headers(headers ?? {})
  reply.isCompressible = reply.request.method !== 'POST' && file?.bytes === undefined
  if (file?.bytes !== undefined) reply.header('content-length', String(file.bytes))
  return file ? reply.type(file.mediaType).send(file.content) : reply.send(json)
}
