/** `proposed` waits for a second person. */
export const exceptionStates = ['proposed', 'active', 'ended'] as const
export type ExceptionState = (typeof exceptionStates)[number]

export interface NewException {
  readonly checkId: string
  /** Of this asset; with neither asset nor tag: of all that fail the check. */
  readonly assetId?: string | undefined
  /** Of assets with this tag. */
  readonly tag?: string | undefined
  readonly reason: string
  /** E-mail address of the member who answers for it; who makes it unless given. */
  readonly owner?: string | undefined
  /** RFC 3339, at most 365 days ahead. */
  readonly expiresAt: string
}

export interface Exception {
  readonly id: string
  readonly checkId: string
  /** As the check is called now; its id, where it was deleted. */
  readonly checkTitle: string
  readonly assetId: string | null
  /** As the asset is called now; null also where it was deleted. */
  readonly assetName: string | null
  readonly tag: string | null
  readonly reason: string
  /** Who answers for it; null where a key made it and named nobody. */
  readonly ownerName: string | null
  readonly state: ExceptionState
  readonly expiresAt: string
  readonly createdAt: string
  readonly createdBy: string
  readonly createdByName: string
  readonly approvedAt: string | null
  readonly approvedByName: string | null
  readonly endedAt: string | null
  readonly endedBecause: string | null
}
