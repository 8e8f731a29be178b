import { useState } from 'react'
import { EVERYTHING, isSelected, NOTHING, select, sizeOf, type Selection } from './selection.ts'

interface SelectionProps {
  /** The selection is cleared when it changes: the filters of the list. */
  readonly key: unknown
  readonly total: number
  /** All that match can be acted on, also what is not loaded; else those that are loaded are selected together. */
  readonly mayAll?: boolean
}

/** The ids of the rows from the first index up to and including the last; loaded where they are not. */
export type IdsBetween = (first: number, last: number) => readonly string[] | Promise<readonly string[]>

/** The selected rows of a list, with a range from the row that was selected last, and all that match. */
export function useSelection({ key, total, mayAll = false }: SelectionProps) {
  const [state, setState] = useState({ key, selection: NOTHING, anchor: -1 })
  const { selection, anchor } = state.key === key ? state : { selection: NOTHING, anchor: -1 }
  const set = (next: Selection, at: number) => setState({ key, selection: next, anchor: at })
  const size = sizeOf(selection, total)
  return {
    selection,
    size,
    mayAll,
    isAll: total > 0 && size === total,
    has: (id: string): boolean => isSelected(selection, id),
    clear: () => set(NOTHING, -1),
    /** All that match, or these where only what is loaded can be selected; nothing when they are already. */
    toggleAll: (loaded: readonly string[]) => {
      const isWhole = mayAll ? size === total : loaded.every((id) => isSelected(selection, id))
      set(isWhole ? NOTHING : mayAll ? EVERYTHING : select(NOTHING, loaded, true), -1)
    },
    /** With `between` all rows since the last one that was selected, as this one becomes. */
    toggle: async (id: string, index: number, between?: IdsBetween): Promise<void> => {
      const isChosen = !isSelected(selection, id)
      set(select(selection, [id], isChosen), index)
      if (!between || anchor === -1) return
      const ids = await between(Math.min(anchor, index), Math.max(anchor, index))
      set(select(selection, [...ids, id], isChosen), index)
    },
  }
}
export type RowSelection = ReturnType<typeof useSelection>
