import { useQuery } from '@tanstack/react-query'
import { AssetAuditDocument, type AssetData } from '#api/generated/asset.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { assetHistory } from './asset-history.ts'

export function AssetHistoryPanel({ asset }: { readonly asset: AssetData['asset'] }) {
  const may = usePermission()
  const { data } = useQuery({ ...q(AssetAuditDocument, { id: asset.id }), enabled: may('audit:read') })
  return (
    <Panel title="Timeline">
      <Timeline entries={assetHistory(asset, data?.auditEntries.items)} />
    </Panel>
  )
}
