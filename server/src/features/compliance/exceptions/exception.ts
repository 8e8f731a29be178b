/** `proposed` waits for a second person. */
export const exceptionStates = ['proposed', 'active', 'ended'] as const
export type ExceptionState = (typeof exceptionStates)[number]

/** From a check, for every control that it counts for; or from a control, for whichever checks judge it, in it alone. */
export interface ExceptionSubject {
  readonly checkId?: string | undefined
  readonly framework?: string | undefined
  readonly controlId?: string | undefined
}

export interface NewException extends ExceptionSubject {
  /** Of this asset; with neither asset, tag nor condition: of all that fail. */
  readonly assetId?: string | undefined
  /** Of assets with this tag. */
  readonly tag?: string | undefined
  /** Of assets for which this condition holds, whichever those are at the time. */
  readonly where?: string | undefined
  readonly reason: string
  /** E-mail address of the member who answers for it; who makes it unless given. */
  readonly owner?: string | undefined
  /** RFC 3339, at most 365 days ahead. */
  readonly expiresAt: string
}

export interface Exception {
  readonly id: string
  /** Null: it is from a control. */
  readonly checkId: string | null
  /** With `controlId`; null: it is from a check. */
  readonly framework: string | null
  readonly controlId: string | null
  /** What it is from, as that is called now: a check, its id where it was deleted; or a control with its framework. */
  readonly title: string
  readonly assetId: string | null
  /** As the asset is called now; null also where it was deleted. */
  readonly assetName: string | null
  readonly tag: string | null
  readonly where: string | null
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
