import { Button } from '@mantine/core'
import { Archive, ArchiveRestore } from 'lucide-react'
import { ArchiveAssetDocument, ReviveAssetDocument, type AssetData } from '#api/generated/asset.ts'
import { send } from '#api/client.ts'
import { useChange } from '#api/query-client.ts'
import { Badge } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'

interface ArchivedBadgeProps {
  readonly at: string
  readonly by: string | null
}

/** That the asset is out of lists, counts and risk, since when, and by whom or by which rule. */
export function ArchivedBadge({ at, by }: ArchivedBadgeProps) {
  return (
    <Badge tone="warn" sign="○">
      Archived <Time at={at} /> by {by === 'rule' ? 'a rule' : by}
    </Badge>
  )
}

/** Archives the asset, or takes it back; each undoes the other. */
export function ArchiveAsset({ asset: { id, name, archivedAt } }: { readonly asset: AssetData['asset'] }) {
  const archive = useChange(ArchiveAssetDocument, {
    done: `${name} archived`,
    undo: () => send(ReviveAssetDocument, { id }),
  })
  const revive = useChange(ReviveAssetDocument, {
    done: `${name} restored`,
    undo: () => send(ArchiveAssetDocument, { id }),
  })
  const [change, Icon, title] =
    archivedAt === null
      ? ([archive, Archive, 'Archive'] as const)
      : ([revive, ArchiveRestore, 'Restore'] as const)
  return (
    <Button
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={change.isPending}
      onClick={() => change.mutate({ id })}
    >
      {title}
    </Button>
  )
}
