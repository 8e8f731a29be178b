import { Socket } from 'node:net'
import type { SentSegments } from './sent-segments.ts'
import type { TouchCounter } from './touch-counter.ts'

/** Octets of a segment on Ethernet, and those that one acknowledgement answers when it is delayed (RFC 1122, 4.2.3.2). */
const SEGMENT_OCTETS = 1_448
const ACKNOWLEDGED_OCTETS = 2 * SEGMENT_OCTETS
/** What Node keeps of the connection while it is open. */
interface Readable {
  readonly _handle?: { readonly readStop?: () => unknown } | null
}

/** Connecting costs the first packet and the acknowledgement of its answer; closing FIN and the acknowledgement of the other FIN. */
const HANDSHAKE = 2
const CLOSING = 2

/** What is still sent when a connection in this state is closed. */
const toClose = (state: string): number => (state === 'ESTAB' ? CLOSING : 1)

/**
 * First packets that the kernel sends in so many milliseconds without an answer: it repeats after 1 s, 3 s, 7 s, …
 * (RFC 6298).
 */
export const firstPackets = (elapsedMs: number): number => 1 + Math.floor(Math.log2(elapsedMs / 1_000 + 1))

/**
 * A TCP socket whose packets are counted for the address. The kernel knows them only while the connection stands, so
 * it is asked in the hooks of the stream that come before the handle is closed: `_final` (before FIN) and `_destroy`.
 * Without a counter it is a socket like any other.
 */
export class CountedSocket extends Socket {
  readonly #address: string
  readonly #counter: TouchCounter | undefined
  readonly #startedAt = performance.now()
  #isConnected = false
  #noted: (SentSegments & { readonly bytesRead: number }) | undefined

  constructor(address: string, counter: TouchCounter | undefined) {
    super()
    this.#address = address
    this.#counter = counter
    counter?.hold(address)
    counter?.count(address, { probes: 1 })
    this.once('connect', () => (this.#isConnected = true))
  }

  /** Before a TLS connection is ended on it, which passes `_final` by. */
  async note(): Promise<void> {
    const { localPort, remoteAddress, remotePort } = this
    if (!this.#counter || localPort === undefined || remoteAddress === undefined || remotePort === undefined)
      return
    const found = await this.#counter.segments.read({ localPort, remoteAddress, remotePort })
    if (found) this.#noted = { ...found, bytesRead: this.bytesRead }
  }

  override _final(callback: (error?: Error | null) => void): void {
    if (!this.#counter) return super._final(callback)
    void this.note().then(() => super._final(callback))
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const counter = this.#counter
    if (!counter) return super._destroy(error, callback)
    // what comes for a destroyed stream whose handle is still open throws out of Node's reader
    ;(this as Readable)._handle?.readStop?.()
    const isLate = this.#noted !== undefined
    void (this.#isConnected && !isLate ? this.note() : Promise.resolve()).then(() => {
      counter.release(this.#address, this.#packets())
      super._destroy(error, callback)
    })
  }

  #packets(): { readonly packets: number; readonly isEstimated?: boolean } {
    if (!this.#isConnected) return { packets: firstPackets(performance.now() - this.#startedAt) }
    if (this.#noted) {
      const since = Math.ceil((this.bytesRead - this.#noted.bytesRead) / ACKNOWLEDGED_OCTETS)
      return { packets: this.#noted.segments + since + toClose(this.#noted.state) }
    }
    const data =
      Math.ceil(this.bytesWritten / SEGMENT_OCTETS) + Math.ceil(this.bytesRead / ACKNOWLEDGED_OCTETS)
    return { packets: HANDSHAKE + data + CLOSING, isEstimated: true }
  }
}
