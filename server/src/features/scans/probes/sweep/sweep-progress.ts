import type { Progress } from '../probe.ts'

const WINDOW_MS = 5000

/** An address with its place in the order of the sweep. */
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
  #opened = 0
  readonly #unreachable: string[] = []
  /** Places that are under way. */
  readonly #underWay = new Set<number>()
  /** Live hosts, by place, that are not known to be written yet. */
  readonly #unwritten = new Map<number, string>()
  /** Whether a live host is written, so that it need not be found again; absent: nobody asks. */
  readonly isKnown: ((address: string) => boolean) | undefined
  /** What the governor and the pace have to say. */
  restraint: () => Pick<Progress, 'stops' | 'slowed'> = () => ({})
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

  /** The addresses behind the first `settled` of the whole sweep, with their places; those count as finished. */
  *open(addresses: Iterable<string>, settled = 0): Generator<Place> {
    for (const address of addresses) {
      const order = this.#opened++
      if (order < settled) {
        this.#done++
        continue
      }
      this.#underWay.add(order)
      yield { address, order }
    }
  }

  /** Counts what is left of a range as finished, and names the range. */
  passOver(range: string, places: Iterable<Place>): void {
    this.#unreachable.push(range)
    for (const place of places) this.hostDone(false, place)
    this.#underWay.clear()
    this.#done = this.#opened
  }

  hostDone(isLive: boolean, place?: Place): void {
    if (place && !this.#underWay.delete(place.order)) return
    if (place && isLive && this.isKnown) this.#unwritten.set(place.order, place.address)
    this.#done++
    if (isLive) this.#found++
    const now = this.#clock()
    if (now - this.#last.at > WINDOW_MS) {
      this.#mark = this.#last
      this.#last = { at: now, done: this.#done }
    }
    this.#tell(this.progress)
  }

  /** All places before the first that is under way (a Set gives them in the order in which they were opened) or not written. */
  get #settled(): number {
    let [first = this.#opened] = this.#underWay
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
    return {
      done: this.#done,
      total: this.#total,
      found: this.#found,
      ratePerSecond: Math.round(perSecond),
      remainingSeconds: perSecond > 0 ? Math.ceil(left / perSecond) : 0,
      ...(this.isKnown && { settled: this.#settled }),
      ...this.restraint(),
      ...(this.#unreachable.length > 0 && { unreachable: [...this.#unreachable] }),
    }
  }
}
