import { useMemo, useState } from 'react'
import { FindingList } from '#features/vulnerabilities/findings/finding-list.tsx'
import type { FindingOrder } from '#features/vulnerabilities/findings/finding-search-params.ts'
import type { AssetTabProps } from './asset-tab-props.ts'

export function FindingsTab({ asset: { id, archivedAt } }: AssetTabProps) {
  const [order, setOrder] = useState<FindingOrder>()
  const search = useMemo(() => ({ order }), [order])
  return <FindingList search={search} asset={{ id, isArchived: archivedAt !== null }} onOrder={setOrder} />
}
