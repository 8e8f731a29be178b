import { useMemo } from 'react'
import { FindingsOfAsset } from '#features/vulnerabilities/findings/findings-of-asset.tsx'
import { readFindingSearch } from '#features/vulnerabilities/findings/finding-search-params.ts'
import { useAddressValue } from '#ui/table/use-address-value.ts'
import type { AssetTabProps } from './asset-tab-props.ts'

export function FindingsTab({ asset: { id, archivedAt } }: AssetTabProps) {
  const [order, setOrder] = useAddressValue('order')
  const search = useMemo(() => readFindingSearch({ order }), [order])
  return (
    <FindingsOfAsset search={search} asset={{ id, isArchived: archivedAt !== null }} onOrder={setOrder} />
  )
}
