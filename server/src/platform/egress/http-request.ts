import errors from 'undici/lib/core/errors.js'
import type { Connection } from './connection-pool.ts'
import type { FailureCode } from './failures.ts'
import type { RequestPhase } from './request-phase.ts'

/** One request on one connection. The signal ends it wherever it stands. */
export interface HttpRequest {
  readonly url: URL
  readonly method: 'POST' | 'GET'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  readonly signal: AbortSignal
  /** How much of the body is kept; 4 KiB unless given, at most 64 KiB. */
  readonly excerptBytes?: number
  /** When set, how long the connection may take to open. */
  readonly connectMs?: number
}

export interface HttpResult {
  /** Of the final answer; once it is known the outcome is decided, whatever becomes of the body. */
  readonly head?: { readonly status: number; readonly location: unknown; readonly retryAfter: unknown }
  /** The first bytes of the body. */
  readonly excerpt: Buffer
  /** Why no answer came; absent with a head. */
  readonly fault?: FailureCode
  readonly phase: RequestPhase
  /** A keep-alive connection was closed by the peer before any response: the only failure that is retried on a new one. */
  readonly isStale: boolean
}

/** No more of a body is read than this, and no longer. */
const BODY_MAX_BYTES = 65_536
const BODY_MAX_MS = 1_000
const EXCERPT_BYTES = 4_096
/** The most bytes of informational responses before the final one; a receiver that sends more has failed. */
const INTERIMS_MAX = 32

/** Sends the request and reads the answer. Never throws. */
export function sendHttpRequest(connection: Connection, request: HttpRequest): Promise<HttpResult> {
  const { promise, resolve } = Promise.withResolvers<HttpResult>()
  const bytesBefore = connection.bytesRead()
  const chunks: Buffer[] = []
  const excerptBytes = Math.min(request.excerptBytes ?? EXCERPT_BYTES, BODY_MAX_BYTES)
  let [bodyBytes, interims] = [0, 0]
  let head: HttpResult['head']
  let timer = request.connectMs === undefined ? undefined : setTimeout(giveUpConnecting, request.connectMs)
  let isOver = false

  function finish(isSound: boolean, fault: FailureCode = 'connection_lost'): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    request.signal.removeEventListener('abort', runOut)
    const phase = head ? 'read' : connection.phase()
    const isStale =
      fault === 'connection_lost' && connection.isReused && connection.bytesRead() === bytesBefore
    connection.release(isSound)
    const excerpt = Buffer.concat(chunks).subarray(0, excerptBytes)
    resolve({ ...(head ? { head } : { fault }), phase, excerpt, isStale })
  }
  function giveUpConnecting(): void {
    if (!connection.isOpen()) finish(false, 'connect_failed')
  }
  function runOut(): void {
    finish(false, 'timeout')
  }

  request.signal.addEventListener('abort', runOut)
  connection.expectAnswer()
  connection.client.dispatch(messageOf(request), {
    onRequestStart() {},
    onResponseStart(_, status, headers) {
      if (status < 200) return ++interims > INTERIMS_MAX ? finish(false, 'bad_response') : undefined
      head = { status, location: headers['location'], retryAfter: headers['retry-after'] }
      clearTimeout(timer)
      timer = setTimeout(finish, BODY_MAX_MS, false)
    },
    onResponseData(_, chunk) {
      if (bodyBytes < excerptBytes) chunks.push(chunk)
      bodyBytes += chunk.length
      if (bodyBytes > BODY_MAX_BYTES) finish(false)
    },
    onResponseEnd: () => finish(true),
    onResponseError: (_, error) => finish(false, faultOf(error, connection)),
  })
  if (request.signal.aborted) runOut()
  return promise
}

const messageOf = ({ url, method, headers, body }: HttpRequest) => ({
  path: `${url.pathname}${url.search}`,
  method,
  headers,
  body,
})

function faultOf(error: Error, connection: Connection): FailureCode {
  if (error === connection.refusal) return 'address_refused'
  const phase = connection.phase()
  if (phase === 'connect') return 'connect_failed'
  if (phase === 'tls') return 'tls_failed'
  return isBadResponse(error) ? 'bad_response' : 'connection_lost'
}

/** undici distinguishes a protocol switch and an unexpected 100 from a closed socket by the message alone. */
const isBadResponse = (error: Error): boolean =>
  error instanceof errors.HTTPParserError ||
  error instanceof errors.HeadersOverflowError ||
  error instanceof errors.ResponseContentLengthMismatchError ||
  /^bad (response|upgrade)$/.test(error.message)
