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
  /**
   * Its part, 0 to 1, of the risk of all groups: the weights of its findings times the factors of their assets, as in
   * risk scores, added up.
   */
  readonly riskShare: number
}
