import { isIP, type Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { HostCheck } from '../host-key-check.ts'
import { ProbeFailure } from '../probe.ts'
import { connectPinned } from '../tls/pinned-certificate.ts'
import { CountedSocket } from '../touches/counted-socket.ts'
import type { TouchCounter } from '../touches/touch-counter.ts'

export interface Place {
  readonly address: string
  readonly port: number
  readonly transport: 'http' | 'https'
}

/** One connection to the service, as NTLM needs it: whoever signed in is signed in on this connection alone. */
export interface Connection {
  readonly post: (headers: Record<string, string>, body: Buffer | string) => Promise<Answer>
  /** The certificate of the other side, over TLS. */
  readonly certificate: () => Buffer | undefined
  readonly isLost: () => boolean
  readonly close: () => Promise<void>
}

export interface Answer {
  readonly status: number
  readonly contentType: string
  /** All that `WWW-Authenticate` offers. */
  readonly offers: readonly string[]
  readonly body: Buffer
}

export interface ConnectionMeans {
  readonly access: HostCheck
  readonly signal: AbortSignal
}

const CONNECT_TIMEOUT_MS = 10_000
/** Longer than the server takes to give up an operation. */
const ANSWER_TIMEOUT_MS = 45_000
const ANSWER_SIZE_MAX = 16 * 1024 * 1024

export function openConnection(place: Place, means: ConnectionMeans): Connection {
  let certificate: Buffer | undefined
  let lost = false
  const dial = async (): Promise<Socket> => {
    if (place.transport === 'http') return connected(place, means.access.touches)
    const socket = await connectPinned(
      { ...place, host: place.address },
      { ...means, connectMs: CONNECT_TIMEOUT_MS },
    )
    certificate = socket.getPeerX509Certificate()?.raw
    return socket
  }
  const client = new Client(originOf(place), {
    connect: (_, callback) => void dial().then((socket) => callback(null, socket), failed(callback)),
    pipelining: 1,
    keepAliveTimeout: ANSWER_TIMEOUT_MS,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    maxResponseSize: ANSWER_SIZE_MAX,
  })
  client.on('disconnect', () => void (lost = true))
  return {
    certificate: () => certificate,
    isLost: () => lost,
    close: () => client.destroy(),
    async post(headers, body) {
      try {
        return await answerOf(
          await client.request({ ...QUESTION, headers: { ...headers }, body, signal: means.signal }),
        )
      } catch (error) {
        means.signal.throwIfAborted()
        throw error instanceof ProbeFailure ? error : new ProbeFailure(reasonOf(place, error))
      }
    },
  }
}

const QUESTION = { method: 'POST', path: '/wsman' } as const

export const originOf = ({ address, port, transport }: Place): string =>
  `${transport}://${isIP(address) === 6 ? `[${address}]` : address}:${port}`

const failed =
  (callback: (error: Error, socket: null) => void) =>
  (error: unknown): void =>
    callback(error instanceof Error ? error : new Error(String(error)), null)

async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const offered = headers['www-authenticate'] ?? []
  return {
    status: statusCode,
    contentType: String(headers['content-type'] ?? ''),
    offers: (Array.isArray(offered) ? offered : [offered]).flatMap((it) => it.split(/,\s*/)),
    body: Buffer.from(await body.arrayBuffer()),
  }
}

function connected({ address, port }: Place, touches: TouchCounter | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new CountedSocket(address, touches)
    socket.connect({ host: address, port })
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error('it does not answer')))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.setTimeout(0)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; enable it with "winrm quickconfig"',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  UND_ERR_HEADERS_TIMEOUT: 'it took the connection and does not answer',
  UND_ERR_BODY_TIMEOUT: 'its answer stopped half-way',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is larger than 16 MB',
  UND_ERR_SOCKET: 'it closed the connection',
  ECONNRESET: 'it closed the connection',
}

function reasonOf(place: Place, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const hint = hints[code] ?? (error instanceof Error ? error.message : String(error))
  return `Windows Remote Management at ${originOf(place)} cannot be used: ${hint}`
}
