export interface TagCount {
  readonly tag: string
  /** Assets that have it. */
  readonly count: number
}
