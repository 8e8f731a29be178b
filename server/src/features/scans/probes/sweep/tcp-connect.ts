import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimiter } from './packet-rate-limit.ts'
import type { NetworkPath } from './network-paths.ts'
import { CountedSocket } from '../touches/counted-socket.ts'
import type { TouchCounter } from '../touches/touch-counter.ts'

/** What a TCP port answers. `refused` is as good a sign of life as `open`. */
export type Answer =
  | {
      readonly state: 'open' | 'refused'
      readonly rttMs: number
      /** What an open port said by itself; empty: nothing in time. Absent: it was not listened to. */
      readonly greeting?: Buffer
    }
  | { readonly state: 'silent' | 'unreachable' | 'no route' }

export const isAlive = (answer: Answer): answer is Extract<Answer, { rttMs: number }> => 'rttMs' in answer

export interface TcpProbe {
  readonly address: string
  readonly port: number
  readonly timeoutMs: number
  /** Ends the waiting when its answer no longer matters. */
  readonly enough?: AbortSignal
  /** Whether an open port has said all that it says by itself; absent: it is not listened to. */
  readonly isGreeted?: ((received: Buffer) => boolean) | undefined
}

/** How long an open port is listened to, and how much is read. */
const GREETING = { ms: 3_000, octets: 4_096 }
/** Acknowledgement of a greeting. */
const PACKETS_TO_HEAR = 1

/** How long the other side may take to close its half before the socket is let go. */
const CLOSE_MS = 2000
/** An open port costs three more packets: acknowledgement, FIN, and the acknowledgement of the other FIN. */
const PACKETS_TO_CLOSE = 3
const STARVED_PAUSE_MS = 200
const STARVED_TRIES = 25

interface Learning {
  readonly touches?: TouchCounter | undefined
  /** On which path an address lies: how long answers take is learned for each; absent: all on one. */
  readonly pathOf?: ((address: string) => NetworkPath | undefined) | undefined
}

/**
 * TCP connections to which nothing is written: made, listened to where somebody wants that, counted and closed in full
 * (FIN both ways, never a reset, which small network stacks are known to mishandle). It cannot write to a port.
 */
export class TcpProber {
  readonly #signal: AbortSignal
  readonly #open = new Set<Socket>()
  readonly #all: RateLimiter
  readonly #touches: TouchCounter | undefined
  readonly #pathOf: Learning['pathOf']

  constructor(all: RateLimiter, signal: AbortSignal, { touches, pathOf }: Learning = {}) {
    this.#all = all
    this.#touches = touches
    this.#pathOf = pathOf
    this.#signal = signal
    signal.addEventListener('abort', () => this.#open.forEach((socket) => socket.destroy()), { once: true })
  }

  /** Waits until one packet may be sent, under the limit of the host, if given, and that of the whole sweep. */
  async acquire(host?: RateLimiter): Promise<void> {
    await host?.acquire(this.#signal)
    await this.#all.acquire(this.#signal)
  }

  /** Call it after `acquire`. Throws when this machine stays short of sockets. */
  async probe(at: TcpProbe, host?: RateLimiter): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.#try(at)
      this.#signal.throwIfAborted()
      if (typeof outcome !== 'string') {
        if (outcome.state === 'open')
          for (const rateLimiter of [host, this.#all])
            rateLimiter?.owe(PACKETS_TO_CLOSE + (outcome.greeting?.length ? PACKETS_TO_HEAR : 0))
        if (isAlive(outcome)) {
          host?.answered(outcome.rttMs)
          this.#all.answered(outcome.rttMs, this.#pathOf?.(at.address)?.name)
        }
        return outcome
      }
      if (tries === STARVED_TRIES) throw new Error(`cannot open sockets: ${outcome}`)
      this.#all.trouble()
      await sleep(STARVED_PAUSE_MS, undefined, { signal: this.#signal })
      await this.acquire(host)
    }
  }

  /** An answer, or the code of an error that lies with this machine. */
  #try({ address, port, timeoutMs, enough, isGreeted }: TcpProbe): Promise<Answer | string> {
    return new Promise((resolve) => {
      const startedAt = performance.now()
      const socket = new CountedSocket(address, this.#touches)
      const giveUp = (): void => void socket.destroy()
      const timer = setTimeout(giveUp, timeoutMs)
      enough?.addEventListener('abort', giveUp)
      this.#open.add(socket)
      let answer: Answer | string = { state: 'silent' }
      let isConnected = false
      socket.once('connect', () => {
        isConnected = true
        clearTimeout(timer)
        enough?.removeEventListener('abort', giveUp)
        const rttMs = performance.now() - startedAt
        if (!isGreeted) {
          resolve({ state: 'open', rttMs })
          return closeInFull(socket)
        }
        return void greetingOf(socket, isGreeted).then((greeting) => {
          resolve({ state: 'open', rttMs, greeting })
          closeInFull(socket)
        })
      })
      socket.on('error', (error) => (answer = answerOf(error, performance.now() - startedAt)))
      socket.once('close', () => {
        clearTimeout(timer)
        enough?.removeEventListener('abort', giveUp)
        this.#open.delete(socket)
        if (!isConnected) resolve(answer)
      })
      socket.connect({ host: address, port })
    })
  }
}

/** Until it is whole, the other side closes, or the time is over. */
function greetingOf(socket: Socket, isGreeted: (received: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve) => {
    let received: Buffer = Buffer.alloc(0)
    const over = (): void => {
      clearTimeout(timer)
      socket.off('data', hear)
      resolve(received)
    }
    const hear = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]).subarray(0, GREETING.octets)
      if (received.length === GREETING.octets || isGreeted(received)) over()
    }
    const timer = setTimeout(over, GREETING.ms)
    socket.on('data', hear)
    socket.once('end', over).once('close', over)
  })
}

/** Unread data would turn the close into a reset, so any greeting is read and discarded. */
function closeInFull(socket: Socket): void {
  socket.resume()
  socket.end()
  const timer = setTimeout(() => socket.destroy(), CLOSE_MS)
  socket.once('close', () => clearTimeout(timer))
}

const REFUSED = new Set(['ECONNREFUSED', 'ECONNRESET'])
const NO_ROUTE = new Set(['ENETUNREACH', 'EADDRNOTAVAIL'])
/** This machine is short of something; the target has no part in it. */
const STARVED = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAGAIN'])

function answerOf({ code = '' }: NodeJS.ErrnoException, rttMs: number): Answer | string {
  if (REFUSED.has(code)) return { state: 'refused', rttMs }
  if (NO_ROUTE.has(code)) return { state: 'no route' }
  return STARVED.has(code) ? code : { state: 'unreachable' }
}
