import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { TouchCounter } from '../../touches/touch-counter.ts'
import { Malformed } from './ber.ts'
import { SnmpFault } from './snmp-error.ts'

/** How long to wait for an answer: `firstMs`, then half as long again each time, `tries` times in all. */
export interface WaitOptions {
  readonly firstMs: number
  readonly tries: number
}

/** The most that one host may take; beyond it the scan ends with what it has. */
export interface Allowance {
  readonly octets: number
  readonly ms: number
}

/** Packets that answer no question, while one is waited for; beyond, somebody floods. */
const STRAY_MAX = 2_000
const PATIENCE_GROWTH = 1.5

interface Waiting {
  readonly hear: (message: Buffer) => void
  readonly fail: (error: Error) => void
}

/**
 * A UDP socket that is connected to one port of one address, so the kernel drops what comes from anywhere else and
 * tells when nobody listens there. No packet, whatever is in it, can throw out of the socket's events.
 */
export class Channel {
  readonly #socket: Socket
  readonly #signal: AbortSignal
  readonly #allowance: Allowance
  readonly #countPacket: () => void
  readonly #openedAt = performance.now()
  readonly #waiting = new Set<Waiting>()
  readonly #onAbort = (): void => this.#failAll(this.#signal.reason as Error)
  #octets = 0
  #isClosed = false

  private constructor(
    socket: Socket,
    signal: AbortSignal,
    { countPacket, ...allowance }: Allowance & { readonly countPacket: () => void },
  ) {
    this.#socket = socket
    this.#countPacket = countPacket
    this.#signal = signal
    this.#allowance = allowance
    socket.on('message', (message) => this.#heard(message))
    socket.on('error', (error) => this.#failAll(closedFault(error)))
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Nothing is sent yet. */
  static async open(
    at: { readonly address: string; readonly port: number },
    signal: AbortSignal,
    { touches, ...allowance }: Allowance & { readonly touches?: TouchCounter | undefined },
  ): Promise<Channel> {
    signal.throwIfAborted()
    const socket = createSocket(isIPv6(at.address) ? 'udp6' : 'udp4')
    const countPacket = () => touches?.count(at.address, { packets: 1, probes: 1 })
    const channel = new Channel(socket, signal, { ...allowance, countPacket })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject)
        socket.connect(at.port, at.address, () => {
          socket.off('error', reject)
          resolve()
        })
      })
      return channel
    } catch (error) {
      channel.close()
      throw closedFault(error)
    }
  }

  get octetsHeard(): number {
    return this.#octets
  }

  /**
   * Sends the packet and gives what `read` makes of the first packet that it does not answer `undefined` to; what is
   * `Malformed` is passed over, any other error of `read` ends the exchange. Throws `SnmpFault`, or the signal's reason.
   */
  async exchange<T>(
    packet: Buffer,
    patience: WaitOptions,
    read: (message: Buffer) => T | undefined,
  ): Promise<T> {
    this.#signal.throwIfAborted()
    this.#assertAllowance()
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const waiting = { hear: hearing(read, resolve, reject), fail: reject }
    const resend = this.#sendUntilHeard(packet, patience, reject)
    this.#waiting.add(waiting)
    try {
      return await promise
    } finally {
      resend.stop()
      this.#waiting.delete(waiting)
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#failAll(new SnmpFault('closed', 'the scan is over'))
    this.#socket.close()
  }

  #sendUntilHeard(packet: Buffer, { firstMs, tries }: WaitOptions, fail: (error: Error) => void) {
    let timer: NodeJS.Timeout | undefined
    const send = (left: number, waitMs: number): void => {
      if (left === 0) return fail(new SnmpFault('silent', 'no answer'))
      const spent = this.#spent
      if (spent) return fail(spent)
      this.#countPacket()
      this.#socket.send(packet, (error) => error && fail(closedFault(error)))
      timer = setTimeout(send, waitMs, left - 1, waitMs * PATIENCE_GROWTH)
    }
    send(tries, firstMs)
    return { stop: () => clearTimeout(timer) }
  }

  #heard(message: Buffer): void {
    this.#octets += message.length
    for (const waiting of this.#waiting) waiting.hear(message)
  }

  #failAll(error: Error): void {
    for (const waiting of this.#waiting) waiting.fail(error)
  }

  get #spent(): SnmpFault | undefined {
    if (this.#octets > this.#allowance.octets)
      return new SnmpFault('spent', `more than ${this.#allowance.octets / 1_048_576} MB answered`)
    if (performance.now() - this.#openedAt > this.#allowance.ms)
      return new SnmpFault('spent', `took longer than ${this.#allowance.ms / 60_000} minutes`)
    return undefined
  }

  #assertAllowance(): void {
    const spent = this.#spent
    if (spent) throw spent
  }
}

function hearing<T>(
  read: (message: Buffer) => T | undefined,
  resolve: (answer: T) => void,
  reject: (error: Error) => void,
): (message: Buffer) => void {
  let stray = 0
  return (message) => {
    try {
      const answer = read(message)
      if (answer !== undefined) return resolve(answer)
    } catch (error) {
      if (!(error instanceof Malformed)) return reject(error as Error)
    }
    if (++stray > STRAY_MAX) reject(new SnmpFault('silent', 'only packets that answer nothing'))
  }
}

function closedFault(error: unknown): SnmpFault {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return new SnmpFault('closed', reasons[code] ?? `the network says ${code || String(error)}`)
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the port is closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'there is no route',
  EHOSTDOWN: 'the host cannot be reached',
}
