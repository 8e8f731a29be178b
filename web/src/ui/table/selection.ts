/** The selected rows of a list: those with the ids, or all that match but for some. */
export type Selection =
  | { readonly kind: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'all'; readonly except: ReadonlySet<string> }

export const NOTHING: Selection = { kind: 'some', ids: new Set() }
export const EVERYTHING: Selection = { kind: 'all', except: new Set() }

export const isSelected = (selection: Selection, id: string): boolean =>
  selection.kind === 'some' ? selection.ids.has(id) : !selection.except.has(id)

/** How many of a list of `total` rows are selected. */
export const sizeOf = (selection: Selection, total: number): number =>
  selection.kind === 'some' ? selection.ids.size : Math.max(0, total - selection.except.size)

/** The selection with or without the rows. */
export function select(selection: Selection, ids: readonly string[], isChosen: boolean): Selection {
  const isListed = selection.kind === 'some' ? isChosen : !isChosen
  const next = new Set(selection.kind === 'some' ? selection.ids : selection.except)
  for (const id of ids) {
    if (isListed) next.add(id)
    else next.delete(id)
  }
  return selection.kind === 'some' ? { kind: 'some', ids: next } : { kind: 'all', except: next }
}
