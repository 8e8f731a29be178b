/** How far a run is, and whether its time is over. */
export interface Progress {
  /** Nothing more is committed and nothing more breaks; what waits is delivered. */
  readonly isLate: () => boolean
  readonly noteCommitted: (events: number) => void
  readonly committed: () => number
  readonly noteStruck: () => void
  readonly struck: () => number
  readonly close: () => void
}

const TELL_EVERY_MS = 10_000

export interface ProgressOptions {
  readonly limitSeconds: number
  readonly deliveries: number
  readonly misfortunes: number
  readonly waiting: () => Promise<number>
  readonly tell: (line: string) => void
}

export function openProgress(options: ProgressOptions): Progress {
  const begunAt = performance.now()
  const seconds = (): number => (performance.now() - begunAt) / 1_000
  let [committed, struck] = [0, 0]
  const tell = async (): Promise<void> => {
    const left = await options.waiting()
    options.tell(
      `${seconds().toFixed(0)} s: ${committed} of ${options.deliveries} committed, ${Number.isFinite(left) ? left : 'nobody knows how many'} wait, ${struck} of ${options.misfortunes} misfortunes`,
    )
  }
  const timer = setInterval(() => void tell(), TELL_EVERY_MS)
  return {
    isLate: () => seconds() > options.limitSeconds,
    noteCommitted: (events) => void (committed += events),
    committed: () => committed,
    noteStruck: () => void (struck += 1),
    struck: () => struck,
    close: () => clearInterval(timer),
  }
}
