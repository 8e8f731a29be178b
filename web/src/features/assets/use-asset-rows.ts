import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { AssetCountDocument, AssetsDocument, type AssetRow } from '#api/generated/operations.ts'
import { q } from '#api/queries.ts'
import { filterOf, type AssetSearch } from './search.ts'

/** One answer is about 35 kB. */
const PAGE = 100

/** The assets of a list by their place in it: counted once, and asked for in pages as they come in sight. */
export function useAssetRows(search: AssetSearch) {
  const [range, setRange] = useState({ first: 0, end: 1 })
  const variables = useMemo(
    () => ({ filter: filterOf(search), sort: search.sort, direction: search.direction }),
    [search],
  )
  const from = Math.floor(range.first / PAGE)
  const to = Math.floor(Math.max(range.first, range.end - 1) / PAGE)
  const pages = Array.from({ length: to - from + 1 }, (_, n) => from + n)
  const answers = useQueries({
    queries: pages.map((page) => q(AssetsDocument, { ...variables, first: PAGE, offset: page * PAGE })),
  })
  const counted = useQuery(q(AssetCountDocument, { filter: variables.filter }))
  const total = useLast(counted.data?.assets.total)
  const rowAt = (index: number): AssetRow | undefined =>
    answers[Math.floor(index / PAGE) - from]?.data?.assets.items[index % PAGE]
  const onDrawn = useCallback((first: number, end: number) => setRange({ first, end }), [])
  const failed = [...answers, counted].find(({ error }) => error)
  return { total, rowAt, onDrawn, error: failed?.error, retry: () => void failed?.refetch() }
}

/** What was known last stays until the next is known, so that the list does not jump. */
function useLast(value: number | undefined): number | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
