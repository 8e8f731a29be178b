import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, Plus, Trash2, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { DeleteEntitlementDocument, EntitlementsDocument } from '#api/generated/records.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { inWords } from '#lib/in-words.ts'
import { count as whole } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { EntitlementForm, metrics, type Entitlement } from './entitlement-form.tsx'
import { EntitlementUses } from './entitlement-uses.tsx'
import { costText, EndOf } from './term-words.tsx'

/** How many uses of software were bought, and how many are assigned. */
export function EntitlementsPanel() {
  const mayWrite = usePermission()('assets:write')
  const { data, error, refetch } = useQuery(q(EntitlementsDocument, {}))
  const [edited, setEdited] = useState<Entitlement | 'new'>()
  const [deleted, setDeleted] = useState<Entitlement>()
  const [openedId, setOpenedId] = useState<string>()
  return (
    <Panel title="Entitlements" isFlush aside={mayWrite && <NewButton onClick={() => setEdited('new')} />}>
      <DataTable
        label="Entitlements"
        columns={[
          ...columns,
          actions({
            onUses: ({ id }) => setOpenedId(id),
            ...(mayWrite && { onEdit: setEdited, onDelete: setDeleted }),
          }),
        ]}
        rows={data?.entitlements}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={nothing}
      />
      {edited && (
        <EntitlementForm
          entitlement={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <EntitlementUses
        entitlement={data?.entitlements.find(({ id }) => id === openedId)}
        mayWrite={mayWrite}
        onClose={() => setOpenedId(undefined)}
      />
      {deleted && <DeleteEntitlement entitlement={deleted} onClose={() => setDeleted(undefined)} />}
    </Panel>
  )
}

const NewButton = ({ onClick }: { readonly onClick: () => void }) => (
  <Button variant="default" leftSection={<Plus size={13} aria-hidden />} onClick={onClick}>
    New entitlement
  </Button>
)

const nothing = (
  <EmptyState icon={KeyRound} title="No entitlements yet">
    Add what you are licensed to use, and how often: more uses than bought are marked.
  </EmptyState>
)

const columns: readonly Column<Entitlement>[] = [
  {
    title: 'Software',
    sortBy: ({ product }) => product,
    cell: ({ product, vendor, versionFrom, versionTo }) => (
      <TwoLines below={[vendor, versionsOf(versionFrom, versionTo)].filter(Boolean).join(', ')}>
        {product}
      </TwoLines>
    ),
  },
  {
    title: 'Used',
    sortBy: ({ used }) => used,
    align: 'right',
    cell: ({ used, count }) => (
      <>
        {count !== null && used > count && (
          <Badge tone="bad" sign="!">
            {whole(used - count)} too many
          </Badge>
        )}{' '}
        {whole(used)} of {count === null ? 'any number' : whole(count)}
      </>
    ),
  },
  { title: 'Counted by', isMinor: true, cell: ({ metric }) => metrics[metric] },
  {
    title: 'Contract',
    sortBy: ({ contract }) => contract,
    isMinor: true,
    cell: ({ contract }) => contract ?? '–',
  },
  { title: 'Ends', sortBy: ({ ends }) => ends, cell: ({ ends }) => <EndOf ends={ends} /> },
  { title: 'Cost', align: 'right', isMinor: true, cell: ({ cost, currency }) => costText(cost, currency) },
]

const versionsOf = (from: string | null, to: string | null): string =>
  from === null && to === null ? '' : `versions ${from ?? inWords('any')} to ${to ?? inWords('any')}`

interface Actions {
  readonly onUses: (entitlement: Entitlement) => void
  readonly onEdit?: (entitlement: Entitlement) => void
  readonly onDelete?: (entitlement: Entitlement) => void
}

const actions = ({ onUses, onEdit, onDelete }: Actions): Column<Entitlement> => ({
  title: '',
  align: 'right',
  cell: (entitlement) => (
    <RowMenu
      label={`Actions for ${entitlement.product}`}
      actions={[
        { title: 'Uses…', icon: UserCheck, onChoose: () => onUses(entitlement) },
        ...(onEdit ? [{ title: 'Edit entitlement', icon: Pencil, onChoose: () => onEdit(entitlement) }] : []),
        ...(onDelete
          ? [
              {
                title: 'Delete entitlement',
                icon: Trash2,
                isDestructive: true,
                onChoose: () => onDelete(entitlement),
              },
            ]
          : []),
      ]}
    />
  ),
})

interface DeleteEntitlementProps {
  readonly entitlement: Entitlement
  readonly onClose: () => void
}

function DeleteEntitlement({ entitlement: { id, product, used }, onClose }: DeleteEntitlementProps) {
  const remove = useChange(DeleteEntitlementDocument, { done: `${product} deleted`, onDone: onClose })
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${product}`}
      action="Delete entitlement"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>It cannot be brought back{used > 0 && `, nor which ${whole(used)} uses it has`}.</p>
    </ConfirmDialog>
  )
}
