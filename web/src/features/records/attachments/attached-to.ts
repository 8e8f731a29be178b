/** What files are attached to: one of the three. */
export interface AttachedTo {
  readonly assetId?: string
  readonly contractId?: string
  /** Slug of a framework, space, id of its control. */
  readonly control?: string
}
