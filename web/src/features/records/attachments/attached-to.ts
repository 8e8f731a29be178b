/** What files are attached to: one of the two. */
export interface AttachedTo {
  readonly assetId?: string
  readonly contractId?: string
}
