import type { Lent } from './connection-pool.ts'
import type { Deadline } from './deadline.ts'
import type { FailureCode } from './failures.ts'
import { requestHead } from './http1/request-head.ts'
import type { ResponseHead } from './http1/response-head.ts'
import type { RequestPhase } from './request-phase.ts'

/** One request on one connection. The deadline ends it wherever it stands. */
export interface HttpRequest {
  readonly url: URL
  readonly method: 'POST' | 'GET'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
  readonly deadline: Deadline
  /** How much of the body is kept; 4 KiB unless given, at most 64 KiB. */
  readonly excerptBytes?: number
  /** When set, how long the connection may take to open. */
  readonly connectMs?: number
}

export interface HttpResult {
  /** Of the final answer; once it is known the outcome is decided, whatever becomes of the body. */
  readonly head?: ResponseHead
  /** The first bytes of the body. */
  readonly excerpt: Buffer
  /** Why no answer came; absent with a head. */
  readonly fault?: FailureCode
  readonly phase: RequestPhase
}

/** No more of a body is read than this, and no longer. */
const BODY_MAX_BYTES = 65_536
const BODY_MAX_MS = 1_000
const EXCERPT_BYTES = 4_096
const NOTHING = Buffer.alloc(0)

/** Sends the request and reads the answer. Never throws. */
export function sendHttpRequest(connection: Lent, request: HttpRequest): Promise<HttpResult> {
  const { promise, resolve } = Promise.withResolvers<HttpResult>()
  const { deadline, body } = request
  const excerptBytes = Math.min(request.excerptBytes ?? EXCERPT_BYTES, BODY_MAX_BYTES)
  const text = requestHead({ ...request, bodyBytes: body?.length ?? null })
  let [bodyBytes, excerpt] = [0, NOTHING]
  let head: ResponseHead | undefined
  let timer = request.connectMs === undefined ? undefined : setTimeout(giveUpConnecting, request.connectMs)

  function finish(keptMs: number, fault: FailureCode = 'connection_lost'): void {
    clearTimeout(timer)
    deadline.onOver(undefined)
    const phase = head ? 'read' : connection.phase()
    connection.release(keptMs)
    resolve({ ...(head ? { head } : { fault }), phase, excerpt })
  }
  function giveUpConnecting(): void {
    if (connection.phase() === 'connect' || connection.phase() === 'tls') finish(0, 'connect_failed')
  }

  if (text === undefined || deadline.isOver()) {
    finish(0, text === undefined ? 'connect_failed' : 'timeout')
    return promise
  }
  deadline.onOver(() => finish(0, 'timeout'))
  connection.send(text, body, {
    onHead(its) {
      head = its
      clearTimeout(timer)
      if (its.hasBody) timer = setTimeout(finish, BODY_MAX_MS, 0)
    },
    onBody(bytes) {
      const wanted = excerptBytes - excerpt.length
      if (wanted > 0) excerpt = Buffer.concat([excerpt, bytes.subarray(0, wanted)])
      bodyBytes += bytes.length
      if (bodyBytes > BODY_MAX_BYTES) finish(0)
    },
    onEnd: (keptMs) => finish(keptMs),
    onFailure: (fault) => finish(0, fault),
  })
  return promise
}
