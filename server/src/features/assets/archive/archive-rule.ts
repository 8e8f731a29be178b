/** After how long without a sighting assets of a kind of source are archived. */
export interface ArchiveRule {
  /** A kind of source, such as `sweep`; empty: every kind without a rule of its own. */
  readonly sourceKind: string
  /** Without a sighting, 1 to 3,650. */
  readonly days: number
}
