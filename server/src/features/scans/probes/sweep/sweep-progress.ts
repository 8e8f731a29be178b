import type { Progress } from '../probe.ts'

const WINDOW_MS = 5000

/** An address with its place in the order of all addresses of the sweep. */
export interface Place {
  readonly address: string
  readonly order: number
}

/** Counts finished addresses and measures the rate over the last seconds. */
export class ScanProgress {
  readonly #total: number
  readonly #clock: () => number
  readonly #tell: (progress: Progress) => void
  #done = 0
  #found = 0
  /** The places of the ranges that were opened. */
  #opened = 0
  readonly #unreachable: string[] = []
  /** All places before this one are finished, and those in `#finished`. */
  #firstOpen = 0
  readonly #finished = new Set<number>()
  /** Live hosts, by place, that are not known to be written yet. */
  readonly #unwritten = new Map<number, string>()
  /** Whether a live host is written, so that it need not be found again; absent: nobody asks. */
  readonly isKnown: ((address: string) => boolean) | undefined
  /** What the governor and the pace have to say. */
  restraint: () => Pick<Progress, 'stops' | 'slowed'> = () => ({})
  /** How many networks of the range that was opened last are only sampled. */
  sampledOnly: () => number = () => 0
  /** Where the speed is measured from; moves on with every window. */
  #mark: { readonly at: number; readonly done: number }
  #last: { readonly at: number; readonly done: number }

  constructor(
    total: number,
    tell: (progress: Progress) => void = () => undefined,
    clock: () => number = () => performance.now(),
    isKnown?: (address: string) => boolean,
  ) {
    this.isKnown = isKnown
    this.#total = total
    this.#tell = tell
    this.#clock = clock
    this.#mark = { at: clock(), done: 0 }
    this.#last = this.#mark
  }

  /** The places of a range without the first `settled` of the whole sweep, which count as finished; to be asked in any order. */
  open(addresses: Iterable<string>, settled = 0): readonly Place[] {
    const places = Array.from(addresses, (address, at) => ({ address, order: this.#opened + at }))
    const open = places.filter(({ order }) => order >= settled)
    this.#opened += places.length
    this.#done += places.length - open.length
    this.#firstOpen = open[0]?.order ?? this.#opened
    return open
  }

  /** Counts what is left of the range that was opened last as finished, and names it. */
  passOver(range: string): void {
    this.#unreachable.push(range)
    this.sampledOnly = () => 0
    this.#finished.clear()
    this.#firstOpen = this.#opened
    this.#done = this.#opened
    this.#tell(this.progress)
  }

  /** Of a range that was opened; a place that was passed over meanwhile is not counted again. */
  placeDone({ address, order }: Place, isLive: boolean): void {
    if (order < this.#firstOpen || this.#finished.has(order)) return
    this.#finished.add(order)
    while (this.#finished.delete(this.#firstOpen)) this.#firstOpen++
    if (isLive && this.isKnown) this.#unwritten.set(order, address)
    this.hostDone(isLive)
  }

  hostDone(isLive: boolean): void {
    this.#done++
    if (isLive) this.#found++
    const now = this.#clock()
    if (now - this.#last.at > WINDOW_MS) {
      this.#mark = this.#last
      this.#last = { at: now, done: this.#done }
    }
    this.#tell(this.progress)
  }

  /** All places before the first that is not finished, or lives and is not written. */
  get #settled(): number {
    let first = this.#firstOpen
    for (const [order, address] of this.#unwritten) {
      if (this.isKnown?.(address)) this.#unwritten.delete(order)
      else first = Math.min(first, order)
    }
    return first
  }

  get progress(): Progress {
    const seconds = Math.max(1, this.#clock() - this.#mark.at) / 1000
    const perSecond = (this.#done - this.#mark.done) / seconds
    const left = this.#total - this.#done
    const sampledOnly = this.sampledOnly()
    return {
      done: this.#done,
      total: this.#total,
      found: this.#found,
      ratePerSecond: Math.round(perSecond),
      remainingSeconds: perSecond > 0 ? Math.ceil(left / perSecond) : 0,
      ...(this.isKnown && { settled: this.#settled }),
      ...(sampledOnly > 0 && { sampledOnly }),
      ...this.restraint(),
      ...(this.#unreachable.length > 0 && { unreachable: [...this.#unreachable] }),
    }
  }
}
