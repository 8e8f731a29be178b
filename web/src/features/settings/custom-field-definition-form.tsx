import { Select, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CustomFieldKind } from '#api/generated/enums-and-inputs.ts'
import {
  DefineCustomFieldDocument,
  UpdateCustomFieldDocument,
  type CustomFieldsData,
} from '#api/generated/settings.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

export const CUSTOM_FIELD_KINDS: Readonly<Record<CustomFieldKind, string>> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
}

interface CustomFieldDefinitionFormProps {
  /** Undefined: a new one. */
  readonly field: CustomFieldsData['customFields'][number] | undefined
  readonly onClose: () => void
}

export function CustomFieldDefinitionForm({ field, onClose }: CustomFieldDefinitionFormProps) {
  const form = useForm({
    initialValues: {
      name: field?.name ?? '',
      kind: field?.kind ?? ('text' as CustomFieldKind),
      choices: field?.choices?.join('\n') ?? '',
    },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name, such as “Rack”.' : null) },
  })
  const define = useChange(DefineCustomFieldDocument, { done: 'Field defined', isQuiet: true })
  const update = useChange(UpdateCustomFieldDocument, { done: 'Field saved', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title={field ? `Edit ${field.name}` : 'New custom field'}
      action={field ? 'Save field' : 'Define field'}
      form={form}
      onSubmit={({ name, kind, choices: lines }) => {
        const choices = lines.split('\n').filter((line) => line.trim() !== '')
        const input = { name: name.trim(), ...(kind === 'text' && { choices }) }
        return field ? update.mutateAsync({ id: field.id, ...input }) : define.mutateAsync({ kind, ...input })
      }}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      {!field && (
        <Select
          label="Kind"
          description="It stays as it is chosen."
          data={Object.entries(CUSTOM_FIELD_KINDS).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('kind')}
        />
      )}
      {form.values.kind === 'text' && (
        <Textarea
          label="Choices"
          description="One a line. Empty: any text. Values that assets have stay."
          rows={4}
          {...form.getInputProps('choices')}
        />
      )}
    </FormDialog>
  )
}
