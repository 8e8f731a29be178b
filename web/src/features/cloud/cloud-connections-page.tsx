import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Cloud, Coins, ListChecks, Plus, Power, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  CloudConnectionsDocument,
  DeleteCloudConnectionDocument,
  SyncCloudConnectionDocument,
  UpdateCloudConnectionDocument,
  type CloudConnectionRow,
} from '#api/generated/cloud.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count, many } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { CloudConnectionForm } from './cloud-connection-form.tsx'
import { CloudCosts } from './cloud-costs.tsx'
import { CloudCostsDialog } from './cloud-costs-dialog.tsx'
import { CloudCoverage } from './cloud-coverage.tsx'
import { providerName } from './cloud-search-params.ts'

const REFRESH_MS = 2_000

export function CloudConnectionsPage() {
  const { data, error, refetch } = useQuery({
    ...q(CloudConnectionsDocument, {}),
    refetchInterval: ({ state }) => (state.data?.cloudConnections.some(isBeingRead) ? REFRESH_MS : false),
  })
  const [isMaking, making] = useDisclosure(false)
  const [chosen, setChosen] = useState<string>()
  const [costing, setCosting] = useState<CloudConnectionRow>()
  const [deleting, setDeleting] = useState<CloudConnectionRow>()
  const rows = data?.cloudConnections
  const shown = rows?.find(({ id }) => id === chosen) ?? rows?.[0]
  return (
    <Page
      title="Cloud connections"
      description="Accounts, organisations and directories that are read every hour. What could not be read to its end is never taken for gone."
      actions={<NewConnectionButton onClick={making.open} />}
    >
      <Panel isFlush>
        <ConnectionTable
          rows={rows}
          error={error}
          onRetry={() => void refetch()}
          onShow={setChosen}
          onCosts={setCosting}
          onDelete={setDeleting}
          onMake={making.open}
        />
      </Panel>
      {shown && <CloudCoverage key={shown.id} connection={shown} />}
      {shown && shown.provider !== 'Kubernetes' && (
        <AfterLoading>
          <CloudCosts key={`costs of ${shown.id}`} connection={shown} />
        </AfterLoading>
      )}
      <CloudConnectionForm isOpen={isMaking} onClose={making.close} />
      {costing && <CloudCostsDialog connection={costing} onClose={() => setCosting(undefined)} />}
      <DeleteDialog connection={deleting} onClose={() => setDeleting(undefined)} />
    </Page>
  )
}

/** Neither listed nor known to fail yet, or with parts that no reading has ended. */
const isBeingRead = ({ isEnabled, plannedAt, problem, pendingScopes }: CloudConnectionRow): boolean =>
  isEnabled && problem === '' && (plannedAt === null || pendingScopes > 0)

const columns: readonly Column<CloudConnectionRow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, provider }) => <TwoLines below={providerName(provider)}>{name}</TwoLines>,
  },
  { title: 'State', cell: (connection) => <State connection={connection} /> },
  {
    title: 'Resources',
    sortBy: ({ resources }) => resources,
    align: 'right',
    cell: ({ resources }) => count(resources),
  },
  {
    title: 'Accounts listed',
    sortBy: ({ plannedAt }) => plannedAt,
    isMinor: true,
    cell: ({ plannedAt }) => <Time at={plannedAt} />,
  },
]

interface TableProps {
  readonly rows: readonly CloudConnectionRow[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly onShow: (id: string) => void
  readonly onCosts: (connection: CloudConnectionRow) => void
  readonly onDelete: (connection: CloudConnectionRow) => void
  readonly onMake: () => void
}

function ConnectionTable({ onShow, onCosts, onDelete, onMake, ...table }: TableProps) {
  const may = usePermission()
  const sync = useChange(SyncCloudConnectionDocument, { done: 'It is being read' })
  const update = useChange(UpdateCloudConnectionDocument, { done: 'Connection changed' })
  const isWriter = may('cloud:write')
  const actions: Column<CloudConnectionRow> = {
    title: '',
    align: 'right',
    cell: (it) => (
      <RowMenu
        label={`Actions for ${it.name}`}
        actions={[
          { title: 'Show coverage', icon: ListChecks, onChoose: () => onShow(it.id) },
          {
            title: 'Read now',
            icon: RefreshCw,
            isDisabled: !isWriter || !it.isEnabled,
            onChoose: () => sync.mutate({ id: it.id }),
          },
          {
            title: it.isEnabled ? 'Switch off' : 'Switch on',
            icon: Power,
            isDisabled: !isWriter,
            onChoose: () => update.mutate({ id: it.id, isEnabled: !it.isEnabled }),
          },
          costsAction(it, isWriter, onCosts),
          {
            title: 'Delete…',
            icon: Trash2,
            isDestructive: true,
            isDisabled: !isWriter,
            onChoose: () => onDelete(it),
          },
        ]}
      />
    ),
  }
  return (
    <DataTable
      label="Cloud connections"
      columns={[...columns, actions]}
      keyOf={({ id }) => id}
      empty={<NoConnections onMake={onMake} />}
      {...table}
    />
  )
}

/** Clusters tell no costs. */
const costsAction = (it: CloudConnectionRow, isWriter: boolean, onCosts: TableProps['onCosts']) => ({
  title: 'Costs…',
  icon: Coins,
  isDisabled: !isWriter || it.provider === 'Kubernetes',
  onChoose: () => onCosts(it),
})

function State({ connection: it }: { readonly connection: CloudConnectionRow }) {
  if (!it.isEnabled) return <Badge sign="○">Switched off</Badge>
  if (it.problem !== '')
    return (
      <TwoLines below={it.problem}>
        <Badge tone="bad" sign="!">
          Not read
        </Badge>
      </TwoLines>
    )
  if (it.plannedAt === null) return <Badge sign="…">Waiting for a worker</Badge>
  const missing = it.scopes - it.completeScopes
  if (it.pendingScopes > 0)
    return (
      <TwoLines below={`${count(it.scopes - it.pendingScopes)} of ${many(it.scopes, 'part')}`}>
        <Badge sign="…">Being read</Badge>
      </TwoLines>
    )
  return missing === 0 ? (
    <Badge tone="good" sign="✓">
      Complete
    </Badge>
  ) : (
    <TwoLines below={`${count(it.completeScopes)} of ${many(it.scopes, 'part')} read to the end`}>
      <Badge tone="warn" sign="◐">
        Incomplete
      </Badge>
    </TwoLines>
  )
}

function NoConnections({ onMake }: { readonly onMake: () => void }) {
  return (
    <EmptyState
      icon={Cloud}
      title="No cloud connected yet"
      action={<NewConnectionButton isSecond onClick={onMake} />}
    >
      Make an account at the provider that may list and nothing else, and connect it here. The connection is
      tested before it is saved.
    </EmptyState>
  )
}

interface NewConnectionButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function NewConnectionButton({ isSecond = false, onClick }: NewConnectionButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('cloud:write')}
      title={may('cloud:write') ? undefined : 'Your role does not connect clouds'}
      onClick={onClick}
    >
      New connection
    </Button>
  )
}

interface DeleteDialogProps {
  readonly connection: CloudConnectionRow | undefined
  readonly onClose: () => void
}

function DeleteDialog({ connection, onClose }: DeleteDialogProps) {
  const remove = useChange(DeleteCloudConnectionDocument, { done: 'Connection deleted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={connection !== undefined}
      title={`Delete ${connection?.name ?? ''}?`}
      action="Delete connection"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => connection && remove.mutate({ id: connection.id })}
      onClose={onClose}
    >
      <p>Its secret is removed and its resources are no longer listed. The assets that it found stay.</p>
    </ConfirmDialog>
  )
}
