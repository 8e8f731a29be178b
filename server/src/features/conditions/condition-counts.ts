/** For how many subjects a condition is true, and for how many unknown. */
export interface Decided {
  readonly matching: number
  readonly unknown: number
}

export interface ValueCount {
  readonly value: string
  readonly count: number
}
