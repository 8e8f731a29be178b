import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pause, Pencil, Play, Plus, Radar, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  DeleteDiscoveryDocument,
  DiscoveriesDocument,
  StartDiscoveryDocument,
  UpdateDiscoveryDocument,
  type DiscoveryRow,
} from '#api/generated/discoveries.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { AllowedToScan } from '#features/scans/scan-permission.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import type { Edited } from './edited-discovery.ts'
import { scheduleText, windowsText } from './discovery-words.ts'
import styles from './discoveries.module.css'

const PLUS = <Plus size={14} aria-hidden />

export function DiscoveriesPanel({ onEdit }: { readonly onEdit: (edited: Edited) => void }) {
  const { data, error, refetch } = useQuery(q(DiscoveriesDocument, {}))
  const [deleting, setDeleting] = useState<DiscoveryRow>()
  const remove = useChange(DeleteDiscoveryDocument, {
    done: 'Discovery deleted',
    onDone: () => setDeleting(undefined),
  })
  return (
    <Panel title="Discoveries" isFlush>
      <DataTable
        label="Discoveries"
        columns={[...columns, useActions(onEdit, setDeleting)]}
        rows={data?.discoveries}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            icon={Radar}
            title="No discovery yet"
            action={
              <AllowedToScan>
                <Button variant="default" leftSection={PLUS} onClick={() => onEdit('new')}>
                  New discovery
                </Button>
              </AllowedToScan>
            }
          >
            Name your networks and, if you like, a time of the night: every live host is found there, and
            looked into with the credentials that are bound to it.
          </EmptyState>
        }
      />
      <ConfirmDialog
        isOpen={deleting !== undefined}
        title={`Delete ${deleting?.name ?? ''}?`}
        action="Delete discovery"
        isDestructive
        isBusy={remove.isPending}
        onConfirm={() => deleting && remove.mutate({ id: deleting.id })}
        onClose={() => setDeleting(undefined)}
      >
        <p>It runs no more. Its runs and what they found stay.</p>
      </ConfirmDialog>
    </Panel>
  )
}

const columns: readonly Column<DiscoveryRow>[] = [
  {
    title: 'Discovery',
    sortBy: ({ name }) => name,
    cell: ({ name, targetAddress }) => (
      <TwoLines below={<code className={styles['entries']}>{targetAddress}</code>}>{name}</TwoLines>
    ),
  },
  { title: 'Logs in by', isMinor: true, cell: ({ types }) => types.join(', ') || 'nothing' },
  {
    title: 'Schedule',
    isMinor: true,
    cell: (it) => <TwoLines below={windowsText(it)}>{scheduleText(it)}</TwoLines>,
  },
  {
    title: 'Next',
    sortBy: ({ nextAt }) => nextAt,
    cell: ({ nextAt, skipped }) => (
      <>
        {nextAt === null ? <span className="quiet">None</span> : <Time at={nextAt} />}
        {skipped !== '' && <div className="quiet">Skipped: {skipped}</div>}
      </>
    ),
  },
]

function useActions(
  onEdit: (edited: Edited) => void,
  onDelete: (discovery: DiscoveryRow) => void,
): Column<DiscoveryRow> {
  const may = usePermission()
  const update = useChange(UpdateDiscoveryDocument, { done: 'Schedule changed' })
  return {
    title: '',
    align: 'right',
    cell: (discovery) => (
      <span className={styles['actions']}>
        <RunButton discovery={discovery} />
        <RowMenu
          label={`Actions for ${discovery.name}`}
          actions={
            may('scans:write')
              ? [
                  { title: 'Edit…', icon: Pencil, onChoose: () => onEdit(discovery) },
                  ...(discovery.cron === null
                    ? []
                    : [
                        {
                          title: discovery.isEnabled ? 'Pause the schedule' : 'Resume the schedule',
                          icon: discovery.isEnabled ? Pause : Play,
                          onChoose: () =>
                            update.mutate({ id: discovery.id, isEnabled: !discovery.isEnabled }),
                        },
                      ]),
                  {
                    title: 'Delete…',
                    icon: Trash2,
                    isDestructive: true,
                    onChoose: () => onDelete(discovery),
                  },
                ]
              : []
          }
        />
      </span>
    ),
  }
}

function RunButton({ discovery }: { readonly discovery: DiscoveryRow }) {
  const navigate = useNavigate()
  const start = useChange(StartDiscoveryDocument, {
    done: `${discovery.name} started`,
    onDone: ({ startDiscovery: { id } }) =>
      void navigate({ to: '/discoveries/$runId', params: { runId: id } }),
  })
  return (
    <AllowedToScan>
      <Button
        variant="default"
        leftSection={<Play size={12} aria-hidden />}
        loading={start.isPending}
        aria-label={`Run ${discovery.name}`}
        onClick={() => start.mutate({ id: discovery.id })}
      >
        Run
      </Button>
    </AllowedToScan>
  )
}
