import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { gzipSync } from 'node:zlib'
import { isObject, type JsonObject } from '../json.ts'
import { signatureHeaders, type AgentKey } from './signature.ts'

const TIMEOUT_MS = 60_000
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

function exchange(url: URL, headers: Record<string, string>, bytes: Buffer): Promise<Answer> {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
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
