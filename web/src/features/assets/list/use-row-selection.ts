import { useState } from 'react'
import type { AssetSearch } from './asset-search-params.ts'

/** Which assets are chosen in a list; another list begins with none. */
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
