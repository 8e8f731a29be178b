interface Month {
  readonly pass: number
  readonly warning: number
  readonly fail: number
}

/** Passes of each month as a share of the most controls that were ever judged, 0 to 1. */
export function heightsOf(months: readonly Month[]): number[] {
  const most = Math.max(1, ...months.map(({ pass, warning, fail }) => pass + warning + fail))
  return months.map(({ pass }) => pass / most)
}
