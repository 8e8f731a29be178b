import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { Refusal, tooMany } from '../errors.ts'
import { refuseCrossOrigin, TENANT_PATH } from './csrf.ts'

/** Something that people watch while it changes, as data. */
export interface LiveTopic {
  /** The name of the events (WHATWG HTML, Server-sent events). */
  readonly event: string
  /** What commits announce, by `ctx.db.afterCommit`, when there is news for the tenant. */
  readonly topicOf: (tenantId: string) => string
  /** Reads the current state with the person's permissions; when they do not suffice, no event is sent. */
  readonly read: (ctx: Ctx) => Promise<unknown>
}

export interface LiveOptions {
  readonly topics: readonly LiveTopic[]
  /** Asked again and again while a stream is open, so it must not count as something that the person did. */
  readonly contextOf: (request: FastifyRequest) => Promise<Ctx>
  /** What commits announce when the session may have ended, or what it opens may be less. */
  readonly accessTopicsOf: (ctx: Ctx) => readonly string[]
  readonly onCommit: (topic: string, listener: () => void) => () => void
}

const PATH = `${TENANT_PATH}/live`
/** The shortest interval between two events of one stream. */
const SEND_EVERY_MS = 500
/** Proxies close idle connections, usually after a minute. */
const HEARTBEAT_MS = 25_000
/** One browser has a few tabs; HTTP/1.1 allows it six connections. */
const STREAMS_PER_PERSON_MAX = 12
const UNREAD_BYTES_MAX = 262_144

/** News for people who are signed in. The stream ends with the session or the membership, whether there is news or not. */
export function addLive(app: FastifyInstance, options: LiveOptions): void {
  const open = new Map<string, Set<PassThrough>>()
  app.addHook('preClose', async () => open.forEach((streams) => streams.forEach((stream) => stream.end())))
  app.get(PATH, {
    config: { isOutside: true },
    onRequest: async (request) => refuseCrossOrigin(request),
    handler: async (request, reply) => {
      const ctx = await options.contextOf(request)
      const key = `${ctx.tenantId} ${ctx.actor.id}`
      const streams = open.get(key) ?? new Set()
      if (streams.size >= STREAMS_PER_PERSON_MAX) throw tooMany(HEARTBEAT_MS / 1_000)
      const stream = new PassThrough()
      open.set(key, streams.add(stream))
      const stop = follow(options, request, ctx, stream)
      stream.once('close', () => {
        stop()
        streams.delete(stream)
        if (streams.size === 0) open.delete(key)
      })
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
    },
  })
}

/** Answers how to stop. */
function follow(options: LiveOptions, request: FastifyRequest, begun: Ctx, stream: PassThrough): () => void {
  const news = new Set(options.topics)
  let telling: Promise<void> | undefined
  const tell = async (): Promise<void> => {
    while (news.size > 0 && !stream.writableEnded) {
      const topics = [...news]
      news.clear()
      const ctx = await options.contextOf(request)
      for (const topic of topics) write(stream, await textOf(topic, ctx))
      await new Promise((resolve) => setTimeout(resolve, SEND_EVERY_MS).unref())
    }
  }
  const wake = (): void => {
    telling ??= tell()
      .catch(() => void stream.end())
      .finally(() => {
        telling = undefined
        if (news.size > 0 && !stream.writableEnded) wake()
      })
  }
  const check = (): void => void options.contextOf(request).catch(() => stream.end())
  const stops = [
    ...options.topics.map((topic) =>
      options.onCommit(topic.topicOf(begun.tenantId), () => {
        news.add(topic)
        wake()
      }),
    ),
    ...options.accessTopicsOf(begun).map((topic) => options.onCommit(topic, check)),
  ]
  const heart = setInterval(() => {
    write(stream, ': still here\n\n')
    // an announcement may have been missed, and sessions end by themselves
    check()
  }, HEARTBEAT_MS).unref()
  wake()
  return () => {
    clearInterval(heart)
    for (const stop of stops) stop()
  }
}

/** Skips the message for a client that reads too slowly: it gets the newest state with the next one. */
function write(stream: PassThrough, text: string): void {
  if (text !== '' && stream.writable && stream.writableLength < UNREAD_BYTES_MAX) stream.write(text)
}

async function textOf({ event, read }: LiveTopic, ctx: Ctx): Promise<string> {
  try {
    return `event: ${event}\ndata: ${JSON.stringify(await read(ctx))}\n\n`
  } catch (error) {
    if (error instanceof Refusal) return ''
    throw error
  }
}
