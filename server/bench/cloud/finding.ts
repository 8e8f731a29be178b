/** One figure with its goal. */
export interface Finding {
  readonly what: string
  readonly found: string
  readonly isMet: boolean
}
