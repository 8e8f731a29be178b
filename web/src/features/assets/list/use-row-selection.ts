import { useState } from 'react'
import type { AssetSearch } from './asset-search-params.ts'

/** The selected assets of a list; the selection is cleared when the search changes. */
export function useRowSelection(search: AssetSearch) {
  const [chosen, setChosen] = useState({ search, ids: new Set<string>() as ReadonlySet<string> })
  const ids: ReadonlySet<string> = chosen.search === search ? chosen.ids : new Set()
  const set = (next: ReadonlySet<string>) => setChosen({ search, ids: next })
  return {
    ids,
    clear: () => set(new Set()),
    toggle: (wanted: readonly string[], isChosen: boolean): void => {
      const next = new Set(ids)
      for (const id of wanted) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      set(next)
    },
  }
}
