import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { AddSoftwareListEntryDocument, type SoftwareListEntryRow } from '#api/generated/software-lists.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

/** A new entry has no name and vendor yet; of another one only the reason can be changed. */
export type EditedEntry = Pick<SoftwareListEntryRow, 'list'> & Partial<SoftwareListEntryRow>

interface ListEntryFormProps {
  readonly entry: EditedEntry
  readonly onClose: () => void
}

export function ListEntryForm({ entry, onClose }: ListEntryFormProps) {
  const { list, name, vendor, reason = '' } = entry
  const isNew = name === undefined
  const form = useForm({ initialValues: { name: name ?? '', vendor: vendor ?? '', reason } })
  const save = useChange(AddSoftwareListEntryDocument, { isQuiet: true, done: 'Entry saved' })
  return (
    <FormDialog
      isOpen
      title={isNew ? `Add to ${list} software` : `Why it is ${list}`}
      action={isNew ? 'Add' : 'Save'}
      form={form}
      onSubmit={(values) => save.mutateAsync({ list, ...values })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="As it is listed; * stands for any text. Empty: whatever the vendor makes."
        placeholder="TeamViewer*"
        disabled={!isNew}
        data-autofocus={isNew || undefined}
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Vendor"
        description="Empty: any. An entry with a vendor means only software whose vendor is told."
        disabled={!isNew}
        {...form.getInputProps('vendor')}
      />
      <TextInput label="Why" data-autofocus={!isNew || undefined} {...form.getInputProps('reason')} />
    </FormDialog>
  )
}
