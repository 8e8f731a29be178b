/** How often something was done in a second, and how often the limit does it: the nearest to it that can be had bare. */
export interface Measured {
  readonly name: string
  readonly title: string
  /** The median of all rounds, as the next two. */
  readonly perSecond: number
  readonly limitPerSecond: number
  /** Of the two sides of one round. */
  readonly ratio: number
  readonly goals: Goals
  readonly p50Ms?: number
  readonly p95Ms?: number
  /** How many requests had no answer. */
  readonly refused?: number
  /** Goals that were missed, and whatever was wrong with answers. */
  readonly shortfalls: readonly string[]
  readonly isExact: boolean
}

export interface Goals {
  readonly ratio: number
  readonly perSecond?: number
  readonly p95Ms?: number
}

export type Figures = Omit<Measured, 'shortfalls' | 'isExact'> & {
  readonly faults: readonly string[]
}

export function judge({ faults, ...figures }: Figures): Measured {
  const { goals, perSecond, ratio, p95Ms = 0 } = figures
  const shortfalls = [
    ...(ratio < goals.ratio ? [`${ratio.toFixed(2)} of the limit instead of ${goals.ratio}`] : []),
    ...(perSecond < (goals.perSecond ?? 0)
      ? [`${Math.round(perSecond)} a second instead of ${goals.perSecond}`]
      : []),
    ...(p95Ms > (goals.p95Ms ?? Infinity) ? [`p95 ${Math.round(p95Ms)} ms instead of ${goals.p95Ms}`] : []),
    ...faults,
  ]
  return { ...figures, shortfalls, isExact: faults.length === 0 }
}

/** The value below which `share` of the others lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
