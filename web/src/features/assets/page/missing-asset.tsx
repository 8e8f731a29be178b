import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { AssetDeletionDocument } from '#api/generated/audit.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { exactly } from '#lib/dates.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'

/**
 * For an id without an asset. The API answers the same for an asset that was deleted, never existed or belongs to
 * another tenant; who deleted it is known to those who may read the audit log of this tenant.
 */
export function MissingAsset({ assetId }: { readonly assetId: string }) {
  const may = usePermission()
  const navigate = useNavigate()
  const { data, isLoading } = useQuery({
    ...q(AssetDeletionDocument, { id: assetId }),
    enabled: may('audit:read'),
  })
  if (isLoading) return null
  const deletion = data?.auditEntries.items[0]
  return (
    <Panel>
      <EmptyState
        icon={Trash2}
        title={deletion ? 'This asset was deleted' : 'There is no such asset'}
        action={
          <Button variant="default" onClick={() => void navigate({ to: '/assets' })}>
            All assets
          </Button>
        }
      >
        {deletion
          ? `${deletion.actorName ?? deletion.actorId} deleted it on ${exactly(deletion.at)}.`
          : 'It was deleted, or its address is wrong, or it belongs to another organisation.'}
      </EmptyState>
    </Panel>
  )
}
