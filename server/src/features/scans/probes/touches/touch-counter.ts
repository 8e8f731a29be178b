import { SegmentReader } from './sent-segments.ts'

/** What a scan did to one address since it was taken last. */
export interface Touch {
  readonly address: string
  readonly beganAt: Date
  /** From the first packet to the last. */
  readonly seconds: number
  /** IP packets that this machine sent there; address resolution is not among them. */
  readonly packets: number
  /** Connections that were tried, and questions without a connection. */
  readonly probes: number
  /** Logins with a credential that was shown. */
  readonly logins: number
  /** The kernel did not tell the packets of some connection; they were worked out from its octets. */
  readonly isEstimated: boolean
}

export type TouchCounts = Partial<Pick<Touch, 'packets' | 'probes' | 'logins' | 'isEstimated'>>

interface Entry {
  readonly beganAt: Date
  readonly firstMs: number
  lastMs: number
  packets: number
  probes: number
  logins: number
  isEstimated: boolean
  /** Open connections and tasks under way, which will still add to the counts. */
  holds: number
}

/** Counts what one scan sends to each address, until somebody takes the counts to store them. */
export class TouchCounter {
  /** Knows how many packets a connection took so far. */
  readonly segments = new SegmentReader()
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => Date
  #whenFree: (() => void) | undefined

  constructor(now: () => Date) {
    this.#now = now
  }

  count(address: string, counts: TouchCounts): void {
    add(this.#entryOf(address), counts)
  }

  /** What a counter elsewhere has taken. */
  add({ address, beganAt, seconds, ...counts }: Touch): void {
    const entry = this.#entryOf(address, beganAt)
    add(entry, counts)
    entry.lastMs = Math.max(entry.lastMs, entry.firstMs + seconds * 1_000)
  }

  /** More follows: the counts of the address are not taken before as many calls of `release`. */
  hold(address: string): void {
    this.#entryOf(address).holds++
  }

  /** Adds what the end of it cost, unless the address was dropped meanwhile. */
  release(address: string, counts: TouchCounts = {}): void {
    const entry = this.#entries.get(address)
    if (!entry) return
    entry.holds--
    add(entry, counts)
    if (!this.#isHeld) this.#whenFree?.()
  }

  /** Forgets what was counted: nobody lives at the address. */
  drop(address: string): void {
    this.#entries.delete(address)
    if (!this.#isHeld) this.#whenFree?.()
  }

  /** The counts of all addresses that nothing is under way at; they begin anew. */
  take(): Touch[] {
    return this.#takeWhere(({ holds }) => holds <= 0)
  }

  /** At the end: waits for connections that are being closed, at most `patienceMs`, then takes everything. */
  async takeAll(patienceMs: number): Promise<Touch[]> {
    if (this.#isHeld)
      await new Promise<void>((resolve) => {
        this.#whenFree = resolve
        setTimeout(resolve, patienceMs)
      })
    return this.#takeWhere(() => true)
  }

  get #isHeld(): boolean {
    return [...this.#entries.values()].some(({ holds }) => holds > 0)
  }

  #takeWhere(isDue: (entry: Entry) => boolean): Touch[] {
    const taken: Touch[] = []
    for (const [address, entry] of this.#entries) {
      if (!isDue(entry)) continue
      this.#entries.delete(address)
      const { beganAt, firstMs, lastMs, packets, probes, logins, isEstimated } = entry
      if (packets + probes + logins === 0) continue
      taken.push({
        address,
        beganAt,
        seconds: (lastMs - firstMs) / 1_000,
        packets,
        probes,
        logins,
        isEstimated,
      })
    }
    return taken
  }

  #entryOf(address: string, beganAt = this.#now()): Entry {
    const known = this.#entries.get(address)
    if (known) return known
    const atMs = performance.now()
    const counts = { packets: 0, probes: 0, logins: 0, isEstimated: false, holds: 0 }
    const entry: Entry = { beganAt, firstMs: atMs, lastMs: atMs, ...counts }
    this.#entries.set(address, entry)
    return entry
  }
}

function add(entry: Entry, { packets = 0, probes = 0, logins = 0, isEstimated = false }: TouchCounts): void {
  entry.lastMs = performance.now()
  entry.packets += packets
  entry.probes += probes
  entry.logins += logins
  entry.isEstimated ||= isEstimated
}
