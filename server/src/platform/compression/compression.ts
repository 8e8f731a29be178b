import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { preferredCoding, type ContentCoding } from './content-coding.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The answer may be compressed: it has no secret that stands beside what somebody else may have put there. */
    isCompressible: boolean
  }
}

/** Shorter answers would not save a packet. */
const BYTES_MIN = 1_024
/** Quickest for what they save first: these answers are made for one reader. */
const CODINGS: readonly ContentCoding[] = ['zstd', 'br', 'gzip']
/** Quality from 0 to 11; higher ones take longer than the line saves. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Compresses the responses whose handler sets `isCompressible`: lists, files, exports, GraphQL queries. Not those that
 * carry a new secret (keys, invitations, webhook secrets: all of them responses to writes), those of the session and
 * sign-in endpoints, and event streams: the length of a compressed response reveals how much a secret in it resembles
 * other text in it (BREACH, CVE-2013-3587).
 */
export function addCompression(app: FastifyInstance): void {
  app.decorateReply('isCompressible', false)
  app.addHook('onSend', compress)
}

async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (!reply.isCompressible || reply.hasHeader('content-encoding')) return payload
  reply.header('vary', 'accept-encoding')
  const coding = preferredCoding(request.headers['accept-encoding'], CODINGS)
  if (!coding || isShort(payload)) return payload
  reply.header('content-encoding', coding).removeHeader('content-length')
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return WHOLE[coding](payload)
  const compressor = STREAM[coding]()
  // A client that disconnects ends both sides; a source that fails aborts the response, so no client takes it as complete.
  pipeline(payload as Readable, compressor, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
      reply.log.error({ err: error }, 'an answer broke off')
  })
  return compressor
}

/** Off the event loop, on Node's worker threads. */
const WHOLE: Record<ContentCoding, (content: string | Buffer) => Promise<Buffer>> = {
  br: (content) => promisify(brotliCompress)(content, BROTLI),
  zstd: (content) => promisify(zstdCompress)(content),
  gzip: (content) => promisify(gzip)(content),
}

const STREAM = {
  br: () => createBrotliCompress(BROTLI),
  zstd: () => createZstdCompress(),
  gzip: () => createGzip(),
} satisfies Record<ContentCoding, () => unknown>

const isShort = (payload: unknown): boolean =>
  payload == null ||
  ((typeof payload === 'string' || Buffer.isBuffer(payload)) && Buffer.byteLength(payload) < BYTES_MIN)
