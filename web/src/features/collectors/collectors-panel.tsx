import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Ban, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  CollectorsDocument,
  DeleteCollectorDocument,
  RevokeCollectorDocument,
  type CollectorRow,
} from '#api/generated/collectors.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { AddCollectorDialog } from './add-collector-dialog.tsx'
import { CollectorStateBadge } from './collector-state-badge.tsx'

/** Processes elsewhere that scan where the server does not reach. */
export function CollectorsPanel() {
  const { data, error, refetch } = useQuery(q(CollectorsDocument, {}))
  const may = usePermission()
  const [isAdding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<CollectorRow>()
  return (
    <Panel
      title="Collectors"
      isFlush
      aside={
        may('scans:write') &&
        may('credentials:write') && (
          <Button
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add collector
          </Button>
        )
      }
    >
      <DataTable
        label="Collectors"
        columns={[...columns, useActions(setRevoking)]}
        rows={data?.collectors}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <p className="quiet">
            A collector scans where this server does not reach: another site, or a network behind NAT.
          </p>
        }
      />
      {isAdding && <AddCollectorDialog onClose={() => setAdding(false)} />}
      <RevokeDialog collector={revoking} onClose={() => setRevoking(undefined)} />
    </Panel>
  )
}

function useActions(onRevoke: (collector: CollectorRow) => void): Column<CollectorRow> {
  const may = usePermission()
  const remove = useChange(DeleteCollectorDocument, { done: 'Collector deleted' })
  return {
    title: '',
    align: 'right',
    cell: (collector) =>
      may('scans:write') && (
        <RowMenu
          label={`Actions for ${collector.name}`}
          actions={[
            collector.state === 'revoked'
              ? {
                  title: 'Delete',
                  icon: Trash2,
                  isDestructive: true,
                  onChoose: () => remove.mutate({ id: collector.id }),
                }
              : { title: 'Revoke…', icon: Ban, isDestructive: true, onChoose: () => onRevoke(collector) },
          ]}
        />
      ),
  }
}

const columns: readonly Column<CollectorRow>[] = [
  { title: 'Name', cell: ({ name, address }) => <TwoLines below={address}>{name}</TwoLines> },
  {
    title: 'State',
    cell: ({ state, sharedAt }) => (
      <TwoLines
        below={
          sharedAt === null ? null : (
            <>
              Two processes had its identity <Time at={sharedAt} />: its folder was copied. One of them is
              given work; if it is not yours, revoke it.
            </>
          )
        }
      >
        <CollectorStateBadge state={state} />
      </TwoLines>
    ),
  },
  { title: 'Last heard of', isMinor: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  { title: 'Version', isMinor: true, cell: ({ version }) => version },
]

interface RevokeDialogProps {
  readonly collector: CollectorRow | undefined
  readonly onClose: () => void
}

function RevokeDialog({ collector, onClose }: RevokeDialogProps) {
  const revoke = useChange(RevokeCollectorDocument, { done: 'Collector revoked', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={collector !== undefined}
      title={`Revoke ${collector?.name ?? ''}?`}
      action="Revoke collector"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => collector && revoke.mutate({ id: collector.id })}
      onClose={onClose}
    >
      <p>
        Its requests are refused from now on. What it is at goes on with another collector of the target, or
        fails. This server does not scan its targets in its place.
      </p>
    </ConfirmDialog>
  )
}
