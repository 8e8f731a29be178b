import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Crosshair, KeyRound, Pencil, Play, Plus, ScanSearch, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ScanType } from '#api/generated/enums-and-inputs.ts'
import {
  DeleteTargetDocument,
  StartScanDocument,
  TargetsDocument,
  type TargetRow,
  type TargetsData,
} from '#api/generated/scans.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useDeepScan } from '#features/discoveries/use-deep-scan.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { AllowedToScan } from './scan-permission.tsx'
import { INDUSTRIAL_READS } from './industrial-reads-input.tsx'
import { EditTargetForm } from './target-form.tsx'
import styles from './targets-panel.module.css'

/** Scan targets, each with buttons to start scans. */
export function TargetsPanel({ onMake }: { readonly onMake: () => void }) {
  const { data, error, refetch } = useQuery(q(TargetsDocument, {}))
  const [deleting, setDeleting] = useState<TargetRow>()
  const [edited, setEdited] = useState<TargetRow>()
  return (
    <Panel title="Targets" isFlush>
      <DataTable
        label="Targets"
        columns={[
          ...columnsWith(data?.collectors ?? [], data?.places ?? []),
          useActions(data?.availableScanTypes ?? [], { onEdit: setEdited, onDelete: setDeleting }),
        ]}
        rows={data?.targets}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            icon={Crosshair}
            title="No targets yet"
            action={
              <AllowedToScan>
                <Button variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={onMake}>
                  New target
                </Button>
              </AllowedToScan>
            }
          >
            A target is a network or a host that you are entitled to scan. Add one, then start a sweep of it.
          </EmptyState>
        }
      />
      <DeleteDialog target={deleting} onClose={() => setDeleting(undefined)} />
      {edited && <EditTargetForm target={edited} onClose={() => setEdited(undefined)} />}
    </Panel>
  )
}

const KINDS = { cidr: 'Network', host: 'One host', range: 'Several' } as const

type Collectors = TargetsData['collectors']

const columnsWith = (collectors: Collectors, places: TargetsData['places']): readonly Column<TargetRow>[] => [
  {
    title: 'Target',
    sortBy: ({ name }) => name,
    cell: ({ name, address, siteId, industrialReads }) => (
      <TwoLines below={<code>{address}</code>}>
        {name}
        {siteId && <span className="quiet"> · {places.find(({ id }) => id === siteId)?.name}</span>}
        {industrialReads.length > 0 && (
          <span className="quiet">
            {' '}
            · asks {industrialReads.map((it) => INDUSTRIAL_READS[it].title).join(', ')}
          </span>
        )}
      </TwoLines>
    ),
  },
  { title: 'Kind', sortBy: ({ kind }) => kind, isMinor: true, cell: ({ kind }) => KINDS[kind] },
  {
    title: 'Scanned by',
    isMinor: true,
    cell: ({ collectorIds }) =>
      collectorIds.length === 0 ? (
        <span className="quiet">This server</span>
      ) : (
        namesOf(collectorIds, collectors)
      ),
  },
  {
    title: 'Added',
    sortBy: ({ createdAt }) => createdAt,
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

const namesOf = (ids: readonly string[], collectors: Collectors): string =>
  collectors
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ')

interface TargetActions {
  readonly onEdit: (target: TargetRow) => void
  readonly onDelete: (target: TargetRow) => void
}

function useActions(types: readonly ScanType[], { onEdit, onDelete }: TargetActions): Column<TargetRow> {
  const may = usePermission()
  const start = useChange(StartScanDocument, { done: 'Scan started' })
  const deep = useDeepScan()
  return {
    title: '',
    align: 'right',
    cell: (target) => (
      <span className={styles['actions']}>
        <SweepButton target={target} />
        <RowMenu
          label={`Actions for ${target.name}`}
          actions={
            may('scans:write')
              ? [
                  ...hostScanTypes(target, types).map((type) => ({
                    title: `Scan by ${type}`,
                    icon: Play,
                    onChoose: () => start.mutate({ targetId: target.id, type }),
                  })),
                  deep.lacksCredentials
                    ? {
                        title: 'Deep scan: needs credentials…',
                        icon: KeyRound,
                        onChoose: deep.storeCredentials,
                      }
                    : {
                        title: 'Deep scan with credentials',
                        icon: ScanSearch,
                        isDisabled: !deep.isReady,
                        onChoose: () => deep.begin(target),
                      },
                  { title: 'Edit…', icon: Pencil, onChoose: () => onEdit(target) },
                  {
                    title: 'Delete…',
                    icon: Trash2,
                    isDestructive: true,
                    onChoose: () => onDelete(target),
                  },
                ]
              : []
          }
        />
      </span>
    ),
  }
}

/** Scan types other than sweeps: each scans a single host. */
const hostScanTypes = ({ kind }: TargetRow, types: readonly ScanType[]): readonly ScanType[] =>
  kind === 'host' ? types.filter((type) => type !== 'sweep') : []

function SweepButton({ target }: { readonly target: TargetRow }) {
  const start = useChange(StartScanDocument, { done: `Sweep of ${target.address} started` })
  return (
    <AllowedToScan>
      <Button
        variant="default"
        leftSection={<Play size={12} aria-hidden />}
        loading={start.isPending}
        aria-label={`Sweep ${target.name}`}
        onClick={() => start.mutate({ targetId: target.id, type: 'sweep' })}
      >
        Sweep
      </Button>
    </AllowedToScan>
  )
}

interface DeleteDialogProps {
  readonly target: TargetRow | undefined
  readonly onClose: () => void
}

function DeleteDialog({ target, onClose }: DeleteDialogProps) {
  const remove = useChange(DeleteTargetDocument, { done: 'Target deleted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={target !== undefined}
      title={`Delete ${target?.name ?? ''}?`}
      action="Delete target"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => target && remove.mutate({ id: target.id })}
      onClose={onClose}
    >
      <p>
        <code>{target?.address}</code> is scanned no more. What earlier scans found stays in the inventory.
      </p>
    </ConfirmDialog>
  )
}
