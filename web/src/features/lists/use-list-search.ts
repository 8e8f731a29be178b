import { useNavigate } from '@tanstack/react-router'
import { ofList, type ListSearch } from './list-search.ts'

interface Written {
  /** Replaces the entry of the history, so that Back leaves the list. */
  readonly isReplacing?: boolean
  /** What else the address had goes, but for the columns. */
  readonly isAlone?: boolean
}

/** Changes what the address says of the list that is shown; page and preview are those of the earlier list, and go. */
export function useListSearch() {
  const navigate = useNavigate()
  return (change: ListSearch, { isReplacing = false, isAlone = false }: Written = {}): void =>
    void navigate({
      to: '.',
      search: (before: Readonly<Record<string, unknown>>) => ({
        ...(isAlone ? {} : ofList(before)),
        ...change,
      }),
      replace: isReplacing,
    })
}
