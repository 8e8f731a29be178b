/** A way to look at a list: condition, sort order and columns, as the app serialises them. */
export interface SavedView {
  readonly id: string
  /** What the list is of. */
  readonly subject: string
  readonly name: string
  readonly view: unknown
  /** Everybody in the organisation has it. */
  readonly isShared: boolean
  /** Of the calling person. */
  readonly isOwn: boolean
  /** Who shares it: name, or e-mail address; null for one's own, and where the person has left. */
  readonly sharedBy: string | null
}
