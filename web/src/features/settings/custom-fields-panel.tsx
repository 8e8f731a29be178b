import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ArrowUp, Pencil, Plus, TextCursorInput, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  CustomFieldsDocument,
  DeleteCustomFieldDocument,
  OrderCustomFieldsDocument,
  type CustomFieldsData,
} from '#api/generated/settings.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { CUSTOM_FIELD_KINDS, CustomFieldDefinitionForm } from './custom-field-definition-form.tsx'

type Field = CustomFieldsData['customFields'][number]

/** The custom fields that the organisation defines for its assets. */
export function CustomFieldsPanel() {
  const may = usePermission()('assets:write')
  const { data, error, refetch } = useQuery(q(CustomFieldsDocument, {}))
  const [edited, setEdited] = useState<Field | 'new'>()
  const [deleted, setDeleted] = useState<Field>()
  const fields = data?.customFields
  return (
    <Panel
      title="Custom fields"
      aside={
        may && (
          <Button
            variant="default"
            leftSection={<Plus size={13} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            New field
          </Button>
        )
      }
      isFlush
    >
      <DataTable
        label="Custom fields"
        columns={columnsFor({ may, fields: fields ?? [], onEdit: setEdited, onDelete: setDeleted })}
        rows={fields}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={TextCursorInput} title="No fields of your own yet">
            What your organisation alone records: define it here, fill it in on an asset.
          </EmptyState>
        }
      />
      {edited && (
        <CustomFieldDefinitionForm
          field={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && <DeleteField field={deleted} onClose={() => setDeleted(undefined)} />}
    </Panel>
  )
}

interface FieldActions {
  readonly may: boolean
  readonly fields: readonly Field[]
  readonly onEdit: (field: Field) => void
  readonly onDelete: (field: Field) => void
}

const columnsFor = ({ may, ...actions }: FieldActions): readonly Column<Field>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Kind', cell: ({ kind, choices }) => choices?.join(', ') ?? CUSTOM_FIELD_KINDS[kind] },
  { title: '', align: 'right', cell: (field) => may && <FieldMenu field={field} {...actions} /> },
]

type FieldMenuProps = Omit<FieldActions, 'may'> & { readonly field: Field }

function FieldMenu({ field, fields, onEdit, onDelete }: FieldMenuProps) {
  const order = useChange(OrderCustomFieldsDocument, { done: 'Order saved' })
  const ids = fields.map(({ id }) => id)
  const at = ids.indexOf(field.id)
  const moved = ids.toSpliced(at, 1).toSpliced(at - 1, 0, field.id)
  return (
    <RowMenu
      label={`Actions for ${field.name}`}
      actions={[
        { title: 'Edit field', icon: Pencil, onChoose: () => onEdit(field) },
        {
          title: 'Move up',
          icon: ArrowUp,
          isDisabled: at === 0,
          onChoose: () => order.mutate({ ids: moved }),
        },
        { title: 'Delete field', icon: Trash2, isDestructive: true, onChoose: () => onDelete(field) },
      ]}
    />
  )
}

function DeleteField({ field, onClose }: { readonly field: Field; readonly onClose: () => void }) {
  const remove = useChange(DeleteCustomFieldDocument, { done: 'Field deleted' })
  return (
    <ConfirmDialog
      isOpen
      isDestructive
      title={`Delete ${field.name}?`}
      action="Delete field"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ id: field.id }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>Its value is cleared on every asset that has one. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
