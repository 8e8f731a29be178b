import { Select, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ClearCustomFieldDocument, SetCustomFieldDocument, type AssetData } from '#api/generated/asset.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

type Value = AssetData['asset']['customFields'][number]

interface CustomFieldFormProps {
  readonly assetId: string
  readonly value: Value
  readonly onClose: () => void
}

/** An empty value clears the field. */
export function CustomFieldForm({ assetId, value: { field, value }, onClose }: CustomFieldFormProps) {
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
      {field.kind === 'text' && !field.choices && <TextInput {...input} />}
      {field.choices && (
        <Select
          clearable
          data={choicesWith(field.choices, value)}
          {...input}
          value={typeof form.values.value === 'string' && form.values.value !== '' ? form.values.value : null}
          onChange={(chosen) => form.setFieldValue('value', chosen ?? '')}
        />
      )}
      {field.kind === 'date' && <TextInput type="date" {...input} />}
    </FormDialog>
  )
}

/** A value from before the choices were changed is offered as well. */
const choicesWith = (choices: readonly string[], value: unknown): string[] =>
  typeof value === 'string' && !choices.includes(value) ? [...choices, value] : [...choices]
