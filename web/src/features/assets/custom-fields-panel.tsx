import { ActionIcon, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import {
  ClearCustomFieldDocument,
  CustomFieldsDocument,
  SetCustomFieldDocument,
  type AssetData,
} from '#api/generated/operations.ts'
import { q, useChange } from '#api/queries.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { Panel } from '#ui/panel.tsx'
import styles from './facts.module.css'

type Value = AssetData['asset']['customFields'][number]

interface CustomFieldsPanelProps {
  readonly assetId: string
  readonly values: readonly Value[]
  readonly mayWrite: boolean
}

export function CustomFieldsPanel({ assetId, values, mayWrite }: CustomFieldsPanelProps) {
  const [edited, setEdited] = useState<Value>()
  const all = useAllFields(values)
  return (
    <Panel title="Custom fields">
      {all.length === 0 && <p className="quiet">Fields defined in the settings appear here.</p>}
      <dl>
        {all.map((it) => (
          <div key={it.field.id} className={styles['fact']}>
            <dt>{it.field.name}</dt>
            <dd className={styles['value']}>
              {shown(it.value)}
              {mayWrite && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Change ${it.field.name}`}
                  onClick={() => setEdited(it)}
                >
                  <Pencil size={13} aria-hidden />
                </ActionIcon>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {edited && <CustomFieldForm assetId={assetId} value={edited} onClose={() => setEdited(undefined)} />}
    </Panel>
  )
}

/** Those that are set, and those that could be. */
function useAllFields(values: readonly Value[]): readonly Value[] {
  const { data } = useQuery(q(CustomFieldsDocument, {}))
  if (!data) return values
  return data.customFields.map(
    (field) => values.find((it) => it.field.id === field.id) ?? { field, value: null },
  )
}

const shown = (value: unknown): string => {
  if (value === null || value === '') return '–'
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value as string | number)
}

interface CustomFieldFormProps {
  readonly assetId: string
  readonly value: Value
  readonly onClose: () => void
}

/** An empty value clears the field. */
function CustomFieldForm({ assetId, value: { field, value }, onClose }: CustomFieldFormProps) {
  const form = useForm({ initialValues: { value: value ?? (field.kind === 'boolean' ? false : '') } })
  const set = useChange(SetCustomFieldDocument, { done: 'Field saved', isQuiet: true })
  const clear = useChange(ClearCustomFieldDocument, { done: 'Field cleared', isQuiet: true })
  const ids = { assetId, fieldId: field.id }
  const input = { label: field.name, 'data-autofocus': true, ...form.getInputProps('value') }
  return (
    <FormDialog
      isOpen
      title={field.name}
      action="Save"
      form={form}
      onSubmit={({ value }) =>
        value === ''
          ? clear.mutateAsync(ids)
          : set.mutateAsync({ ...ids, value: field.kind === 'number' ? Number(value) : value })
      }
      onClose={onClose}
    >
      {field.kind === 'number' && <TextInput type="number" step="any" {...input} />}
      {field.kind === 'boolean' && (
        <Switch label={field.name} {...form.getInputProps('value', { type: 'checkbox' })} />
      )}
      {field.kind === 'text' && <TextInput {...input} />}
      {field.kind === 'date' && <TextInput type="date" {...input} />}
    </FormDialog>
  )
}
