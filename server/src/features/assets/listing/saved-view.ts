/** A person's saved view: filter, sort order and columns, as the app serialises them. */
export interface SavedView {
  readonly id: string
  readonly name: string
  readonly view: unknown
}
