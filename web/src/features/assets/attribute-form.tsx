import { Checkbox, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { SetAssetAttributeDocument, type Offered } from '#api/generated/operations.ts'
import { useChange } from '#api/queries.ts'
import { FormDialog } from '#ui/form-dialog.tsx'
import { assetTypes, typeName } from './asset-types.ts'
import { attributeName } from './attribute-names.ts'

interface AttributeFormProps {
  readonly assetId: string
  readonly offered: Offered
  readonly onClose: () => void
}

/** A person's word on an attribute. Locked, it stands against every source. */
export function AttributeForm({ assetId, offered: { attribute, value }, onClose }: AttributeFormProps) {
  const form = useForm({ initialValues: { value, reason: '', lock: true } })
  const set = useChange(SetAssetAttributeDocument, { done: 'Value set', isQuiet: true })
  const field = { label: attributeName(attribute), required: true, ...form.getInputProps('value') }
  return (
    <FormDialog
      isOpen
      title={`Correct the ${attributeName(attribute).toLowerCase()}`}
      action="Set value"
      form={form}
      onSubmit={(values) => set.mutateAsync({ assetId, attribute, ...values })}
      onClose={onClose}
    >
      {attribute === 'assetType' ? (
        <Select data={assetTypes.map((type) => ({ value: type, label: typeName(type) }))} {...field} />
      ) : (
        <TextInput data-autofocus {...field} />
      )}
      <TextInput label="Reason" description="Kept in the audit log." {...form.getInputProps('reason')} />
      <Checkbox
        label="Keep it whatever sources say later"
        {...form.getInputProps('lock', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
