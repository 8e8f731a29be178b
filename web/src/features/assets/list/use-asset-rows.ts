import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import {
  AssetCountDocument,
  AssetIdsDocument,
  AssetsDocument,
  ListedCustomValuesDocument,
  type AssetIdsVariables,
  type AssetRow,
} from '#api/generated/assets.ts'
import type { AssessmentState } from '#api/generated/enums-and-inputs.ts'
import { AssetAssessmentsDocument } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { usePrevious, type ListRows } from '#features/lists/use-list-rows.ts'
import type { AssetColumn, ListedAsset } from './asset-columns.tsx'
import { filterOf, type AssetSearch } from './asset-search-params.ts'

/** Rows in one request, about 35 kB. */
const PAGE = 100

/** The assets of the list by index; counted once, and loaded in pages as they are scrolled into view. */
export function useAssetRows(search: AssetSearch, columns: readonly AssetColumn[]): ListRows<ListedAsset> {
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
  const loaded = answers.map(({ data }) => data?.assets.items ?? [])
  const states = useStates(loaded)
  const custom = useCustomValues(loaded, columns)
  const rowAt = (index: number): ListedAsset | undefined => {
    const asset = answers[Math.floor(index / PAGE) - from]?.data?.assets.items[index % PAGE]
    return asset && { ...asset, state: states.get(asset.id), custom: custom.get(asset.id) ?? NONE }
  }
  const onDrawn = useCallback((first: number, end: number) => setRange({ first, end }), [])
  const failed = [...answers, counted].find(({ error }) => error)
  const idsBetween = useIds(variables)
  return {
    total,
    rowAt,
    onDrawn,
    idsBetween,
    loaded: loaded.flat(),
    /** Of an asset that is loaded; else -1. */
    indexOf: (id: string): number => {
      const page = loaded.findIndex((items) => items.some((asset) => asset.id === id))
      return page < 0 ? -1 : (from + page) * PAGE + (loaded[page]?.findIndex((it) => it.id === id) ?? 0)
    },
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

/** Ids in one request, and in one range: as many as a bulk change may name. */
const IDS = 500
const IDS_MAX = 10_000

/** The ids of the rows from the first index up to and including the last. */
function useIds(variables: Omit<AssetIdsVariables, 'first' | 'offset'>) {
  const client = useQueryClient()
  return async (first: number, last: number): Promise<readonly string[]> => {
    const wanted = Math.min(last - first + 1, IDS_MAX)
    const offsets = Array.from({ length: Math.ceil(wanted / IDS) }, (_, at) => at * IDS)
    const pages = offsets.map((at) =>
      client.fetchQuery(
        q(AssetIdsDocument, { ...variables, first: Math.min(IDS, wanted - at), offset: first + at }),
      ),
    )
    return (await Promise.all(pages)).flatMap(({ assets }) => assets.items.map(({ id }) => id))
  }
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

const NONE: ReadonlyMap<string, unknown> = new Map()

/** Values of the custom fields that are columns, by asset and field. */
function useCustomValues(
  pages: readonly (readonly AssetRow[])[],
  columns: readonly AssetColumn[],
): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  const fieldIds = columns.flatMap(({ customFieldId }) => customFieldId ?? [])
  const answers = useQueries({
    queries: pages.map((page) => ({
      ...q(ListedCustomValuesDocument, { fieldIds, assetIds: page.map(({ id }) => id) }),
      enabled: fieldIds.length > 0 && page.length > 0,
    })),
  })
  const all = answers.flatMap(({ data }) => data?.customFieldValues ?? [])
  const byAsset = Map.groupBy(all, ({ assetId }) => assetId)
  return new Map(
    [...byAsset].map(([id, some]) => [id, new Map(some.map(({ fieldId, value }) => [fieldId, value]))]),
  )
}
