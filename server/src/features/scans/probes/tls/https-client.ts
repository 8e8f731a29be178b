import { isIP } from 'node:net'
import { Client, errors, type Dispatcher } from 'undici'
import { ProbeFailure } from '../probe.ts'
import { connectPinned, endpointText, type Peer, type TlsOptions } from './pinned-certificate.ts'

export interface HttpsLimits {
  /** From the request to the first byte of its answer, and between two pieces of it. */
  readonly answerMs: number
  readonly connectMs: number
  readonly bodyBytesMax: number
}

export interface Answer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly cookies: readonly string[]
  readonly text: string
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends this question alone. */
  readonly signal?: AbortSignal
}

export interface Https {
  readonly peer: Peer
  /** Redirects are answers like any other. Fails as `ProbeFailure`; as `Interrupted` where a repetition may help. */
  readonly ask: (question: Ask) => Promise<Answer>
  /** The signal has ended all questions that come without one of their own. */
  readonly isOver: () => boolean
  readonly close: () => Promise<void>
}

/** The connection broke or fell silent in the middle: the same question may be answered another time. */
export class Interrupted extends ProbeFailure {}

/** HTTP over one pinned TLS connection, made anew when it breaks, and vetted anew. */
export function openHttps(peer: Peer, means: Omit<TlsOptions, 'connectMs'>, limits: HttpsLimits): Https {
  const { answerMs, bodyBytesMax, connectMs } = limits
  const closed = new AbortController()
  const authority = isIP(peer.host) === 6 ? `[${peer.host}]` : peer.host
  const client = new Client(`https://${authority}:${peer.port}`, {
    connect: (_, done) => {
      // not the signal of the scan: a session is ended properly also when the scan was cancelled
      connectPinned(peer, { ...means, connectMs, signal: closed.signal }).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      )
    },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: bodyBytesMax,
  })
  return {
    peer,
    isOver: () => means.signal.aborted,
    close() {
      closed.abort()
      return client.destroy()
    },
    async ask({ signal = means.signal, ...question }) {
      signal.throwIfAborted()
      try {
        return await answerOf(await client.request({ ...question, signal }))
      } catch (error) {
        signal.throwIfAborted()
        throw reasonOf(error, peer, limits)
      }
    },
  }
}

async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const given = (name: string): string[] => [headers[name] ?? []].flat()
  return {
    status: statusCode,
    header: (name) => given(name)[0],
    cookies: given('set-cookie'),
    text: await body.text(),
  }
}

function reasonOf(error: unknown, peer: Peer, { answerMs, bodyBytesMax }: HttpsLimits): Error {
  if (error instanceof ProbeFailure) return error
  const where = endpointText(peer)
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return new ProbeFailure(
      `${where} sent an answer of more than ${bodyBytesMax / 1024 / 1024} MiB; it was not read further`,
    )
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return new Interrupted(
      `${where} fell silent for ${answerMs / 1000} s in the middle of an answer; it may be overloaded`,
    )
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError)
    return new ProbeFailure(`${where} does not answer in HTTP; check the port of the credential`)
  if (error instanceof errors.UndiciError || (error as NodeJS.ErrnoException).code !== undefined)
    return new Interrupted(`${where} broke the connection off in the middle of an answer`)
  return error as Error
}
