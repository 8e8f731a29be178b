import { useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import {
  AssetAssessmentsDocument,
  AssetCountDocument,
  AssetsDocument,
  type AssessmentState,
  type AssetRow,
} from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import type { ListedAsset } from './asset-columns.tsx'
import { filterOf, type AssetSearch } from './asset-search-params.ts'

/** Rows in one request, about 35 kB. */
const PAGE = 100

/** The assets of the list by index; counted once, and loaded in pages as they are scrolled into view. */
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
  const total = usePrevious(counted.data?.assets.total)
  const states = useStates(answers.map(({ data }) => data?.assets.items ?? []))
  const rowAt = (index: number): ListedAsset | undefined => {
    const asset = answers[Math.floor(index / PAGE) - from]?.data?.assets.items[index % PAGE]
    return asset && { ...asset, state: states.get(asset.id) }
  }
  const onDrawn = useCallback((first: number, end: number) => setRange({ first, end }), [])
  const failed = [...answers, counted].find(({ error }) => error)
  return { total, rowAt, onDrawn, error: failed?.error, retry: () => void failed?.refetch() }
}

/** Assessment states of the assets without findings; empty without the permission to read findings. */
function useStates(pages: readonly (readonly AssetRow[])[]): ReadonlyMap<string, AssessmentState> {
  const may = usePermission()
  const idsOfPages = pages.map((page) => page.filter(({ riskScore }) => riskScore === 0).map(({ id }) => id))
  const answers = useQueries({
    queries: idsOfPages.map((assetIds) => ({
      ...q(AssetAssessmentsDocument, { assetIds }),
      enabled: assetIds.length > 0 && may('vulnerabilities:read'),
    })),
  })
  const all = answers.flatMap(({ data }) => data?.assetAssessments ?? [])
  return new Map(all.map(({ assetId, state }) => [assetId, state]))
}

/** Returns the previous value while the new one loads, so that the list does not jump. */
function usePrevious(value: number | undefined): number | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
