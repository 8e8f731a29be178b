/** Findings that have one value of a field in common. */
export interface FindingGroup {
  /** Null: the value is unknown. */
  readonly value: string | null
  readonly findings: number
  readonly assets: number
  /** The highest effective score, 0 to 10. */
  readonly maxCvss: number
  /** One of them is known to be exploited. */
  readonly isExploited: boolean
}
