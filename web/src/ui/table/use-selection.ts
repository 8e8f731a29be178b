import { useState } from 'react'
import { EVERYTHING, isSelected, NOTHING, select, sizeOf, type Selection } from './selection.ts'

interface SelectionProps {
  /** The selection is cleared when it changes: the filters of the list. */
  readonly key: unknown
  readonly total: number
  /** The ids of the rows from the first index up to and including the last; loaded where they are not. */
  readonly idsBetween: (first: number, last: number) => Promise<readonly string[]>
}

/** The selected rows of a list, with a range from the row that was selected last, and all that match. */
export function useSelection({ key, total, idsBetween }: SelectionProps) {
  const [state, setState] = useState({ key, selection: NOTHING, anchor: -1 })
  const { selection, anchor } = state.key === key ? state : { selection: NOTHING, anchor: -1 }
  const set = (next: Selection, at: number) => setState({ key, selection: next, anchor: at })
  const size = sizeOf(selection, total)
  return {
    selection,
    size,
    isAll: total > 0 && size === total,
    isSome: size > 0 && size < total,
    has: (id: string): boolean => isSelected(selection, id),
    clear: () => set(NOTHING, -1),
    toggleAll: () => set(size === total ? NOTHING : EVERYTHING, -1),
    /** With `isRange` all rows since the last one that was selected, as this one becomes. */
    toggle: async (id: string, index: number, isRange = false): Promise<void> => {
      const isChosen = !isSelected(selection, id)
      set(select(selection, [id], isChosen), index)
      if (!isRange || anchor === -1) return
      const ids = await idsBetween(Math.min(anchor, index), Math.max(anchor, index))
      set(select(selection, [...ids, id], isChosen), index)
    },
  }
}
