/** A way to look at assets that a person keeps: filter, order, columns, as the app wrote them. */
export interface SavedView {
  readonly id: string
  readonly name: string
  readonly view: unknown
}
