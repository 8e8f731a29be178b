import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FileSignature, Paperclip, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ContractsDocument, DeleteContractDocument } from '#api/generated/records.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { ContractFiles } from './contract-files.tsx'
import { ContractForm, type Contract } from './contract-form.tsx'
import { costText, EndOf } from './term-words.tsx'

/** What was agreed with suppliers, until when and for how much. */
export function ContractsPanel() {
  const mayWrite = usePermission()('assets:write')
  const { data, error, refetch } = useQuery(q(ContractsDocument, {}))
  const [edited, setEdited] = useState<Contract | 'new'>()
  const [deleted, setDeleted] = useState<Contract>()
  const [opened, setOpened] = useState<Contract>()
  return (
    <Panel
      title="Contracts"
      isFlush
      aside={
        mayWrite && (
          <Button
            variant="default"
            leftSection={<Plus size={13} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            New contract
          </Button>
        )
      }
    >
      <DataTable
        label="Contracts"
        columns={[
          ...columns,
          actions({ onFiles: setOpened, ...(mayWrite && { onEdit: setEdited, onDelete: setDeleted }) }),
        ]}
        rows={data?.contracts}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={FileSignature} title="No contracts yet">
            Add support, leasing and licence contracts: their ends are marked 90 days ahead.
          </EmptyState>
        }
      />
      {edited && (
        <ContractForm contract={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {opened && <ContractFiles contract={opened} mayWrite={mayWrite} onClose={() => setOpened(undefined)} />}
      {deleted && <DeleteContract contract={deleted} onClose={() => setDeleted(undefined)} />}
    </Panel>
  )
}

const columns: readonly Column<Contract>[] = [
  {
    title: 'Contract',
    sortBy: ({ name }) => name,
    cell: ({ name, number }) => <TwoLines below={number ?? ''}>{name}</TwoLines>,
  },
  {
    title: 'Supplier',
    isMinor: true,
    sortBy: ({ supplier }) => supplier,
    cell: ({ supplier }) => supplier ?? '–',
  },
  { title: 'Ends', sortBy: ({ ends }) => ends, cell: ({ ends }) => <EndOf ends={ends} /> },
  { title: 'Cost', align: 'right', isMinor: true, cell: ({ cost, currency }) => costText(cost, currency) },
]

interface Actions {
  readonly onFiles: (contract: Contract) => void
  readonly onEdit?: (contract: Contract) => void
  readonly onDelete?: (contract: Contract) => void
}

const actions = ({ onFiles, onEdit, onDelete }: Actions): Column<Contract> => ({
  title: '',
  align: 'right',
  cell: (contract) => (
    <RowMenu
      label={`Actions for ${contract.name}`}
      actions={[
        { title: 'Files…', icon: Paperclip, onChoose: () => onFiles(contract) },
        ...(onEdit ? [{ title: 'Edit contract', icon: Pencil, onChoose: () => onEdit(contract) }] : []),
        ...(onDelete
          ? [
              {
                title: 'Delete contract',
                icon: Trash2,
                isDestructive: true,
                onChoose: () => onDelete(contract),
              },
            ]
          : []),
      ]}
    />
  ),
})

interface DeleteContractProps {
  readonly contract: Contract
  readonly onClose: () => void
}

function DeleteContract({ contract: { id, name }, onClose }: DeleteContractProps) {
  const remove = useChange(DeleteContractDocument, { done: `${name} deleted`, onDone: onClose })
  return (
    <ConfirmDialog
      isOpen
      title={`Delete ${name}`}
      action="Delete contract"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>It cannot be brought back. While entitlements rest on it, deleting is refused.</p>
    </ConfirmDialog>
  )
}
