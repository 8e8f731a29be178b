export interface TagCount {
  readonly tag: string
  /** Number of assets with this tag. */
  readonly count: number
}
