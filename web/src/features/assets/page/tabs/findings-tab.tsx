import { useMemo } from 'react'
import { FindingList } from '#features/vulnerabilities/findings/finding-list.tsx'
import { readFindingSearch } from '#features/vulnerabilities/findings/finding-search-params.ts'
import { useAddressValue } from '#ui/table/use-address-value.ts'
import type { AssetTabProps } from './asset-tab-props.ts'

export function FindingsTab({ asset: { id, archivedAt } }: AssetTabProps) {
  const [order, setOrder] = useAddressValue('order')
  const search = useMemo(() => readFindingSearch({ order }), [order])
  return <FindingList search={search} asset={{ id, isArchived: archivedAt !== null }} onOrder={setOrder} />
}
