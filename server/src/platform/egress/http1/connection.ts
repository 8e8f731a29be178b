import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { FailureCode } from '../failures.ts'
import type { RequestPhase } from '../request-phase.ts'
import type { ResponseHead } from './response-head.ts'
import { openResponseReader } from './response-reader.ts'

/** One HTTP/1.1 connection to one address, used by one request at a time. */
export interface Connection {
  /** Its answer is told to the exchange, whose last call is one of `onEnd` and `onFailure`. */
  readonly send: (head: string, body: Buffer | null, exchange: Exchange) => void
  /** What its request, not answered yet, is at: from `connect` to `wait`. */
  readonly phase: () => RequestPhase
  /** Ends what is under way, without telling it. */
  readonly close: () => void
}

/** One request and its answer. */
export interface Exchange {
  readonly onHead: (head: ResponseHead) => void
  readonly onBody: (bytes: Buffer) => void
  /** `keptMs`: how long the connection may wait for another request; 0: not at all. */
  readonly onEnd: (keptMs: number) => void
  readonly onFailure: (fault: FailureCode) => void
}

export interface ConnectionOptions {
  readonly connector: buildConnector.connector
  /** Asked about the peer that the socket has really reached. */
  readonly admits: (ip: string, url: URL) => boolean
  /** It is of no use any more. */
  readonly onClosed: () => void
  /** It had served a request, and was closed before it answered the next. */
  readonly onDropped: () => void
}

export function openConnection(url: URL, ip: string, options: ConnectionOptions): Connection {
  let exchange: Exchange | undefined
  let [requests, isAnswering, isClosed] = [0, false, false]
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    exchange = undefined
    link.socket.destroy()
    options.onClosed()
  }
  const fail = (fault: FailureCode): void => {
    const its = exchange
    close()
    if (fault === 'connection_lost' && requests > 1 && !isAnswering) options.onDropped()
    its?.onFailure(fault)
  }
  const reader = openResponseReader({
    onHead: (head) => exchange?.onHead(head),
    onBody: (bytes) => exchange?.onBody(bytes),
    onEnd(keptMs) {
      const its = exchange
      exchange = undefined
      link.socket.unref()
      its?.onEnd(link.phase() === 'send' ? 0 : keptMs)
    },
    onBroken: () => fail('bad_response'),
  })
  const link = openLink(url, ip, {
    ...options,
    onData(bytes) {
      if (!exchange) return close() // nobody has asked
      isAnswering = true
      reader.take(bytes)
    },
    onEnd: () => void (reader.end() || fail('connection_lost')),
    onLost: fail,
  })
  return {
    send(head, body, its) {
      requests += 1
      isAnswering = false
      exchange = its
      reader.expectAnswer()
      link.socket.ref()
      link.write(head, body)
    },
    phase: link.phase,
    close,
  }
}

interface LinkOptions extends Pick<ConnectionOptions, 'connector' | 'admits'> {
  readonly onData: (bytes: Buffer) => void
  /** The peer sends nothing more. */
  readonly onEnd: () => void
  readonly onLost: (fault: FailureCode) => void
}

const FAULTS = { connect: 'connect_failed', tls: 'tls_failed', open: 'connection_lost' } as const

/** A socket that says how far it is; what is written before it is open waits. */
function openLink(url: URL, ip: string, { connector, admits, onData, onEnd, onLost }: LinkOptions) {
  let stage: 'connect' | 'tls' | 'open' = 'connect'
  let unsent: (() => void) | undefined
  const lost = (): void => onLost(FAULTS[stage])
  const opened = (open: Socket): void => {
    stage = 'open'
    const peer = open.remoteAddress
    if (peer === undefined) return lost()
    if (!admits(peer, url)) return onLost('address_refused')
    open.on('data', onData)
    open.on('end', onEnd)
    unsent?.()
    unsent = undefined
  }
  const { protocol, host, port } = url
  const socket = connector({ protocol, host, port, hostname: ip }, (error, open) =>
    error ? lost() : opened(open),
  ) as unknown as Socket
  socket.on('error', () => {}) // it closes then
  socket.on('close', lost)
  if (protocol === 'https:') socket.once('connect', () => (stage = 'tls'))
  return {
    socket,
    phase: (): RequestPhase => (stage === 'open' ? (socket.writableLength === 0 ? 'wait' : 'send') : stage),
    write(head: string, body: Buffer | null): void {
      const write = (): void => {
        socket.cork()
        socket.write(head, 'latin1')
        if (body) socket.write(body)
        socket.uncork()
      }
      if (stage === 'open') write()
      else unsent = write
    },
  }
}
