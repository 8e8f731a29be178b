import type { Progress } from '../probe.ts'

const WINDOW_MS = 5000

/** Counts finished addresses and measures the rate over the last seconds. */
export class ScanProgress {
  readonly #total: number
  readonly #clock: () => number
  readonly #tell: (progress: Progress) => void
  #done = 0
  #found = 0
  /** Where the speed is measured from; moves on with every window. */
  #mark: { readonly at: number; readonly done: number }
  #last: { readonly at: number; readonly done: number }

  constructor(
    total: number,
    tell: (progress: Progress) => void = () => undefined,
    clock: () => number = () => performance.now(),
  ) {
    this.#total = total
    this.#tell = tell
    this.#clock = clock
    this.#mark = { at: clock(), done: 0 }
    this.#last = this.#mark
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
    }
  }
}
