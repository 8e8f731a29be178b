import { constants, unzip, unzipSync } from 'node:zlib'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Misdirection } from '../cells/misdirected.ts'
import type { Actor, Ctx } from '../context.ts'
import { invalidBody, Refusal, tooLarge } from '../errors.ts'
import type { IsTrusted } from '../http/client-address.ts'
import { addressOf } from '../http/pipeline.ts'

/** A request in the protocol of a program that we did not write: any media type, any path below the route's. */
export interface ProtocolRequest {
  readonly system: Ctx
  readonly contextFor: (tenantId: string, actor: Actor) => Ctx
  readonly method: 'GET' | 'POST'
  /** Parameters of the path; `*` is what follows it. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Of the client, past trusted proxies. */
  readonly address: string
  /**
   * Reads the body once, unpacked from zlib or gzip. Call it after the caller is known: until then nothing is read.
   * Throws 413 for one of more than `bytesMax`, packed or unpacked. `onPacked` is called with the bytes as they were sent,
   * before they are unpacked; what it throws refuses the request.
   */
  readonly body: (bytesMax?: number, onPacked?: (packed: Buffer) => void) => Promise<Buffer>
  /** Throws 421 for the digest of a token or key whose tenant is served elsewhere; to be asked of those that nobody here has. */
  readonly refuseMoved: (digest: Buffer) => Promise<void>
  /** What `make` answers, made at the first request of this server that asks for the name, and closed with the server. */
  readonly once: <T extends AsyncDisposable>(name: string, make: () => Promise<T>) => Promise<T>
}

export interface ProtocolReply {
  readonly status?: number
  readonly mediaType?: string
  readonly content: string | Buffer | Readable
  readonly headers?: Readonly<Record<string, string>>
}

/** An endpoint of a foreign protocol, as data. It authenticates by itself and takes no API key and no session. */
export interface ProtocolRoute {
  readonly path: string
  readonly handle: (request: ProtocolRequest) => Promise<ProtocolReply>
}

export interface ProtocolRoutesOptions {
  readonly routes: readonly ProtocolRoute[]
  readonly system: Ctx
  readonly contextFor: ProtocolRequest['contextFor']
  readonly isTrustedProxy: IsTrusted
  readonly misdirection: Pick<Misdirection, 'refuseDigest'>
}

const PACKED_BYTES_MAX = 8 * 1_048_576
const UNPACKED_BYTES_MAX = 16 * 1_048_576
/** A thread costs ten times as much as unpacking so little, and so much is unpacked in a fifth of a millisecond. */
const AT_ONCE_BYTES = { packed: 1_024, unpacked: 65_536 }
/** Real inventories reach 13. */
const RATIO_MAX = 100
/** Small bodies of repeated text may exceed the ratio up to this size. */
const UNPACKED_BYTES_FREE = 1_048_576
/** Bodies that are unpacked and carried out at the same time; each may take a multiple of its size in memory. */
const BODIES_AT_ONCE = 8
/** Bodies that cannot be larger need no place among these. */
const SMALL_BYTES = 65_536
/** Neither do packed ones of this size, which cannot become larger than what is free of the ratio, or little more. */
const SMALL_PACKED_BYTES = 16_384
const RETRY_AFTER_SECONDS = { min: 30, max: 900 }

/** Adds endpoints whose bodies are bounded, packed and unpacked. */
export async function addProtocolRoutes(app: FastifyInstance, options: ProtocolRoutesOptions): Promise<void> {
  const slots = { taken: 0 }
  const once = sharedValues(app)
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (_: FastifyRequest, stream: unknown) => stream)
    for (const { path, handle } of options.routes)
      scope.route({
        method: ['GET', 'POST'],
        url: path,
        config: { isOutside: true },
        bodyLimit: PACKED_BYTES_MAX,
        handler: async (request, reply) => {
          let holdsSlot = false
          const body: ProtocolRequest['body'] = async (
            bytesMax = UNPACKED_BYTES_MAX,
            onPacked = () => {},
          ) => {
            const packed = await readPacked(request, Math.min(bytesMax, PACKED_BYTES_MAX))
            onPacked(packed)
            if (bytesMax > SMALL_BYTES && packed.length > SMALL_PACKED_BYTES) {
              if (slots.taken >= BODIES_AT_ONCE) throw busy()
              slots.taken += 1
              holdsSlot = true
            }
            return unpacked(packed, bytesMax)
          }
          try {
            const answer = await handle({ ...requestOf(options, request), body, once })
            reply.code(answer.status ?? 200).headers(answer.headers ?? {})
            return reply.type(answer.mediaType ?? 'text/plain; charset=utf-8').send(answer.content)
          } finally {
            if (holdsSlot) slots.taken -= 1
          }
        },
      })
  })
}

function requestOf(
  { system, contextFor, isTrustedProxy, misdirection }: ProtocolRoutesOptions,
  request: FastifyRequest,
): Omit<ProtocolRequest, 'body' | 'once'> {
  const [, query = ''] = /\?(.*)$/s.exec(request.url) ?? []
  return {
    system,
    contextFor,
    method: request.method === 'POST' ? 'POST' : 'GET',
    params: request.params as ProtocolRequest['params'],
    query: new URLSearchParams(query),
    headers: request.headers,
    address: addressOf({ isTrustedProxy }, request),
    refuseMoved: misdirection.refuseDigest,
  }
}

/** A value that could not be made is tried again by the next request. */
function sharedValues(app: FastifyInstance): ProtocolRequest['once'] {
  const values = new Map<string, Promise<AsyncDisposable>>()
  app.addHook('onClose', async () => {
    for (const value of values.values()) await (await value)[Symbol.asyncDispose]()
  })
  return async <T extends AsyncDisposable>(name: string, make: () => Promise<T>) => {
    const value = values.get(name) ?? make()
    values.set(name, value)
    try {
      return (await value) as T
    } catch (error) {
      values.delete(name)
      throw error
    }
  }
}

/** Drawn at random, so that those who were refused together do not return together. */
function busy(): Refusal {
  const { min, max } = RETRY_AFTER_SECONDS
  return new Refusal(503, 'unavailable', 'too many reports arrive at the same time; send it again later', {
    retryAfterSeconds: min + Math.floor(Math.random() * (max - min)),
  })
}

async function readPacked({ body, headers }: FastifyRequest, bytesMax: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** RFC 1950 and RFC 1952 by their first bytes: several clients name no coding, or a private one. */
async function unpacked(packed: Buffer, bytesMax: number): Promise<Buffer> {
  if (!isZlib(packed) && !isGzip(packed)) return packed
  const maxOutputLength = Math.min(bytesMax, Math.max(UNPACKED_BYTES_FREE, packed.length * RATIO_MAX))
  const finishFlush = constants.Z_FINISH
  try {
    const soon = Math.min(maxOutputLength, AT_ONCE_BYTES.unpacked)
    if (packed.length <= AT_ONCE_BYTES.packed)
      return unzipSync(packed, { maxOutputLength: soon, finishFlush })
  } catch (error) {
    if (!isTooLarge(error)) throw notWhole()
  }
  try {
    return await promisify(unzip)(packed, { maxOutputLength, finishFlush })
  } catch (error) {
    throw isTooLarge(error) ? tooLarge(maxOutputLength) : notWhole()
  }
}

const isTooLarge = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'

const notWhole = (): Refusal => invalidBody('body: is not whole zlib or gzip data')

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Deflate with any window, and the check of the header. */
function isZlib(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes
  return bytes.length > 2 && (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0
}
