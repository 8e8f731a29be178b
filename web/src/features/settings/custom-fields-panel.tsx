import { Button, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Plus, TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import {
  CustomFieldsDocument,
  DefineCustomFieldDocument,
  type CustomFieldKind,
} from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'

const KINDS: Readonly<Record<CustomFieldKind, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
}

/** The custom fields that the organisation defines for its assets. */
export function CustomFieldsPanel() {
  const may = usePermission()
  const { data, error, refetch } = useQuery(q(CustomFieldsDocument, {}))
  const [isMaking, setMaking] = useState(false)
  return (
    <Panel
      title="Custom fields"
      aside={
        may('assets:write') && (
          <Button
            variant="default"
            leftSection={<Plus size={13} aria-hidden />}
            onClick={() => setMaking(true)}
          >
            New field
          </Button>
        )
      }
      isFlush
    >
      <DataTable
        label="Custom fields"
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
        ]}
        rows={data?.customFields}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={TextCursorInput} title="No fields of your own yet">
            A cost centre, an owner, the end of a warranty: define it here, fill it in on an asset.
          </EmptyState>
        }
      />
      {isMaking && <FieldForm onClose={() => setMaking(false)} />}
    </Panel>
  )
}

function FieldForm({ onClose }: { readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { name: '', kind: 'text' as CustomFieldKind },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name, such as “Cost centre”.' : null) },
  })
  const define = useChange(DefineCustomFieldDocument, { done: 'Field defined', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title="New custom field"
      action="Define field"
      form={form}
      onSubmit={({ name, kind }) => define.mutateAsync({ name: name.trim(), kind })}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Kind"
        description="It stays as it is chosen."
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('kind')}
      />
    </FormDialog>
  )
}
