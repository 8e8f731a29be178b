import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { CustomFieldsDocument } from '#api/generated/settings.ts'
import { q } from '#api/query-client.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { assetColumns, customColumn, type AssetColumn, type ListedAsset } from './asset-columns.tsx'
import type { AssetSearch } from './asset-search-params.ts'

/** The columns of the list of assets; custom fields are columns, too. */
export function useAssetLayout(search: AssetSearch) {
  const [isChosen, setChosen] = useState(false)
  const kept = search.columns ?? localStorage.getItem('rollcall-asset-layout') ?? ''
  const all = useAllColumns(isChosen || kept.includes('custom.'))
  const layout = useColumnLayout<ListedAsset, AssetColumn>({ subject: 'asset', all, search })
  /** The columns are to be chosen from: custom fields among them. */
  return { layout, choose: () => setChosen(true) }
}

/** Custom fields come last. Most lists show none, and a slow line is spared the question. */
function useAllColumns(withCustom: boolean): readonly AssetColumn[] {
  const { data } = useQuery({ ...q(CustomFieldsDocument, {}), enabled: withCustom })
  const fields = data?.customFields
  return useMemo(() => [...assetColumns, ...(fields ?? []).map(customColumn)], [fields])
}
