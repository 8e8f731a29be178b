import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { isObject, type JsonObject } from '../json.ts'
import { requestOver } from './http-request.ts'
import { signatureHeaders, type AgentKey } from './signature.ts'

const TIMEOUT_MS = 60_000
const DOWNLOAD_TIMEOUT_MS = 240_000
const ANSWER_BYTES_MAX = 1_048_576
export const BASE_PATH = '/agent/v1'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty when the answer is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface SignedCall {
  /** `https://host`, without a path. */
  readonly server: string
  readonly call: 'enrol' | 'report' | 'rekey'
  readonly body: JsonObject
  readonly key: AgentKey
  readonly counter: number
  /** Seconds that the server's clock is ahead. */
  readonly clockOffset: number
}

/** One signed request. Throws when no whole answer came; every status is an answer. */
export function send({ server, call, body, key, counter, clockOffset }: SignedCall): Promise<Answer> {
  const url = new URL(`${BASE_PATH}/${call}`, server)
  const bytes = gzipSync(JSON.stringify(body))
  const created = Math.round(Date.now() / 1_000) + clockOffset
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': String(bytes.length),
    ...signatureHeaders(key, { path: url.pathname, body: bytes, counter, created }),
  }
  return exchange(url, headers, bytes)
}

export interface SignedDownload extends Omit<SignedCall, 'call' | 'body'> {
  /** Below `/agent/v1/`. */
  readonly path: string
  readonly file: string
  readonly bytesMax: number
}

/** A signed GET whose content is written into a file. Throws when it is longer than `bytesMax`, and for every status but 200. */
export async function download({
  server,
  path,
  file,
  bytesMax,
  key,
  counter,
  clockOffset,
}: SignedDownload): Promise<void> {
  const url = new URL(`${BASE_PATH}/${path}`, server)
  const body = Buffer.alloc(0)
  const created = Math.round(Date.now() / 1_000) + clockOffset
  const headers = signatureHeaders(key, { method: 'GET', path: url.pathname, body, counter, created })
  const start = requestOver(url.protocol)
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)
  const outgoing = start(url, { method: 'GET', headers, signal, agent: false })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  if (incoming.statusCode !== 200) {
    incoming.resume()
    throw new Error(`the server answered ${incoming.statusCode} to ${path}`)
  }
  let length = 0
  await pipeline(
    incoming,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        length += chunk.length
        if (length > bytesMax) throw new Error(`${path} is longer than it should be`)
        yield chunk
      }
    },
    createWriteStream(file, { mode: 0o600 }),
  )
}

function exchange(url: URL, headers: Record<string, string>, bytes: Buffer): Promise<Answer> {
  const start = requestOver(url.protocol)
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const outgoing = start(url, { method: 'POST', headers, signal, agent: false }, (incoming) => {
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > ANSWER_BYTES_MAX) incoming.destroy(new Error('the answer is too long'))
        else chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: objectIn(Buffer.concat(chunks).toString('utf8')),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
