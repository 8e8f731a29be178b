import { setTimeout as sleep } from 'node:timers/promises'

export interface PacketRate {
  /** Packets in any one second, never more. */
  readonly perSecond: number
  /** How many of these may leave at once. */
  readonly burst: number
}

const SECOND_MS = 1000
/** How far a pacer slows down at most: a tenth of its rate. */
const SLOWEST = 10
const SLOWER = 1.5
/** Each packet recovers a little of the full rate, so that a short overload costs little. */
const RECOVERY = 0.995
/** Troubles within this time have one cause and count once. */
const TROUBLE_PAUSE_MS = 250
/** Round trips are rising when their recent average is this many times the calm one, and more than jitter. */
const RISE = 4
const JITTER_MS = 50
/** Answers that still take so long on average at the slowest pace: the path or the device is not to be asked on. */
const STRAIN_MS = 400
/** A smaller factor is not reported. */
const SLOWED_FROM = 1.5
/** Debts fall due in slots of this length, which bounds how many are kept. */
const SLOT_MS = 20

/** How long answers take on one path. */
interface RoundTrips {
  /** The least that the average was. */
  calmMs: number
  recentMs: number
}

const isRising = ({ calmMs, recentMs }: RoundTrips): boolean => recentMs > calmMs * RISE + JITTER_MS

const inWords = ({ calmMs, recentMs }: RoundTrips): string =>
  `answers take ${Math.round(recentMs)} ms, ${Math.round(calmMs)} ms before`

/**
 * The governor of outgoing packets: a leaky bucket as a meter (the generic cell rate algorithm of ITU-T I.371)
 * that drains `perSecond - burst` a second, so that no window of one second holds more than `perSecond`.
 * Slots are granted by the clock at the moment of sending: a process that was stalled does not send a burst.
 */
export class RateLimiter {
  readonly #pace: PacketRate
  readonly #clock: () => number
  readonly #debts = new Map<number, number>()
  /** When the bucket will be empty, in the clock's milliseconds. */
  #emptyAt = Number.NEGATIVE_INFINITY
  #slowdown = 1
  #strongest = 1
  #cause = ''
  #troubledAt = Number.NEGATIVE_INFINITY
  readonly #roundTrips = new Map<string, RoundTrips>()
  #last: Promise<void> = Promise.resolve()

  /** `clock` gives milliseconds and never goes back. */
  constructor(pace: PacketRate, clock: () => number = () => performance.now()) {
    this.#pace = pace
    this.#clock = clock
  }

  /** Packets a second that are allowed at present. */
  get perSecond(): number {
    return SECOND_MS / this.#intervalMs
  }

  /** At what pace it goes or went at its slowest, and why; empty: at its own all the time. */
  get slowed(): string {
    if (this.#strongest < SLOWED_FROM) return ''
    const { perSecond, burst } = this.#pace
    const slowest = Math.round((perSecond - burst) / this.#strongest)
    const is = this.#slowdown < SLOWED_FROM ? 'was slowed' : 'slowed'
    return `${is} to ${slowest} packets a second: ${this.#cause}`
  }

  /** Why nothing more should be asked on a path: answers became slow, also at the slowest pace. Undefined: it may be. */
  strainOn(path = ''): string | undefined {
    const trips = this.#roundTrips.get(path)
    if (!trips || this.#slowdown < SLOWEST || trips.recentMs < STRAIN_MS || !isRising(trips)) return undefined
    return `${inWords(trips)}, also at ${Math.round(this.perSecond)} packets a second`
  }

  /** Waits until a packet may be sent; callers are served in order. */
  acquire(signal: AbortSignal, packets = 1): Promise<void> {
    const acquire = this.#last.then(() => this.#grant(packets, signal))
    this.#last = acquire.catch(() => undefined)
    return acquire
  }

  /** Notes packets that the kernel sends by itself in `inMs`: acknowledgements, closings, address resolution. */
  owe(packets: number, inMs = 0): void {
    if (inMs === 0) return this.#fill(packets)
    const slot = Math.ceil((this.#clock() + inMs) / SLOT_MS)
    this.#debts.set(slot, (this.#debts.get(slot) ?? 0) + packets)
  }

  /** The machine or the network refused a packet for want of something. */
  trouble(cause = 'this machine is short of sockets'): void {
    const now = this.#clock()
    if (now - this.#troubledAt < TROUBLE_PAUSE_MS) return
    this.#troubledAt = now
    this.#slowdown = Math.min(SLOWEST, this.#slowdown * SLOWER)
    if (this.#slowdown < this.#strongest) return
    this.#strongest = this.#slowdown
    this.#cause = cause
  }

  /** A packet was answered after `rttMs`; rising times mean that a queue on this path is filling up. */
  answered(rttMs: number, path = ''): void {
    const trips = this.#roundTrips.get(path) ?? { calmMs: rttMs, recentMs: rttMs }
    this.#roundTrips.set(path, trips)
    trips.recentMs += (rttMs - trips.recentMs) / 8
    trips.calmMs = Math.min(trips.calmMs, trips.recentMs)
    if (isRising(trips)) this.trouble(inWords(trips))
  }

  /** What is asked from now on lies on other paths: how long answers took says nothing about them. The pace stays. */
  forgetRoundTrips(): void {
    this.#roundTrips.clear()
  }

  async #grant(packets: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) {
      await sleep(waitMs, undefined, { signal })
    }
    this.#slowdown = Math.max(1, this.#slowdown * RECOVERY)
    this.#fill(packets)
  }

  #waitMs(): number {
    this.#payDebts()
    const tolerance = (this.#pace.burst - 1) * this.#intervalMs
    return Math.ceil(this.#emptyAt - tolerance - this.#clock())
  }

  #fill(packets: number): void {
    this.#emptyAt = Math.max(this.#emptyAt, this.#clock()) + packets * this.#intervalMs
  }

  #payDebts(): void {
    const now = this.#clock()
    for (const [slot, packets] of this.#debts) {
      if (slot * SLOT_MS > now) continue
      this.#debts.delete(slot)
      this.#fill(packets)
    }
  }

  get #intervalMs(): number {
    return (SECOND_MS / (this.#pace.perSecond - this.#pace.burst)) * this.#slowdown
  }
}
