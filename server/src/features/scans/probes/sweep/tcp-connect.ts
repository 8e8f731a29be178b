import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimiter } from './packet-rate-limit.ts'
import type { NetworkPath } from './network-paths.ts'
import { CountedSocket } from '../touches/counted-socket.ts'
import type { TouchCounter } from '../touches/touch-counter.ts'

/** What a TCP port answers. `refused` is as good a sign of life as `open`. */
export type Answer =
  | { readonly state: 'open' | 'refused'; readonly rttMs: number }
  | { readonly state: 'silent' | 'unreachable' | 'no route' }

export const isAlive = (answer: Answer): answer is Extract<Answer, { rttMs: number }> => 'rttMs' in answer

export interface TcpProbe {
  readonly address: string
  readonly port: number
  readonly timeoutMs: number
  /** Ends the waiting when its answer no longer matters. */
  readonly enough?: AbortSignal
}

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
 * TCP connections that carry no data: made, counted and closed in full (FIN both ways, never a reset, which
 * small network stacks are known to mishandle). It cannot write to a port.
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
          for (const rateLimiter of [host, this.#all]) rateLimiter?.owe(PACKETS_TO_CLOSE)
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
  #try({ address, port, timeoutMs, enough }: TcpProbe): Promise<Answer | string> {
    return new Promise((resolve) => {
      const startedAt = performance.now()
      const socket = new CountedSocket(address, this.#touches)
      const giveUp = (): void => void socket.destroy()
      const timer = setTimeout(giveUp, timeoutMs)
      enough?.addEventListener('abort', giveUp)
      this.#open.add(socket)
      let answer: Answer | string = { state: 'silent' }
      socket.once('connect', () => {
        clearTimeout(timer)
        enough?.removeEventListener('abort', giveUp)
        resolve({ state: 'open', rttMs: performance.now() - startedAt })
        closeInFull(socket)
      })
      socket.on('error', (error) => (answer = answerOf(error, performance.now() - startedAt)))
      socket.once('close', () => {
        clearTimeout(timer)
        enough?.removeEventListener('abort', giveUp)
        this.#open.delete(socket)
        resolve(answer)
      })
      socket.connect({ host: address, port })
    })
  }
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
