import { Button, Checkbox, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ClearAssetAttributeDocument, SetAssetAttributeDocument, type Offered } from '#api/generated/asset.ts'
import { useChange } from '#api/query-client.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { assetTypes, typeName } from '../asset-types.ts'
import { attributeName } from './attribute-labels.ts'
import { deviceTypeName, deviceTypes } from '../recognition/device-types.ts'

interface AttributeFormProps {
  readonly assetId: string
  readonly offered: Offered
  readonly onClose: () => void
}

/** Sets or clears an override of an attribute. A locked override wins over every source. */
export function AttributeForm({ assetId, offered, onClose }: AttributeFormProps) {
  const { attribute, value } = offered
  const form = useForm({ initialValues: { value, reason: '', lock: true } })
  const set = useChange(SetAssetAttributeDocument, { done: 'Value set', isQuiet: true })
  const clear = useChange(ClearAssetAttributeDocument, { done: 'Correction taken back' })
  const isSet = offered.offers.some(({ source }) => source === 'manual')
  const choices = choicesOf(attribute)
  const field = { label: attributeName(attribute), required: true, ...form.getInputProps('value') }
  return (
    <FormDialog
      isOpen
      title={`Correct the ${inSentence(attributeName(attribute))}`}
      action="Set value"
      form={form}
      onSubmit={(values) => set.mutateAsync({ assetId, attribute, ...values })}
      onClose={onClose}
    >
      {choices ? <Select data={choices} {...field} /> : <TextInput data-autofocus {...field} />}
      <TextInput label="Reason" description="Kept in the audit log." {...form.getInputProps('reason')} />
      <Checkbox
        label="Keep it whatever sources say later"
        {...form.getInputProps('lock', { type: 'checkbox' })}
      />
      {isSet && (
        <Button
          variant="subtle"
          loading={clear.isPending}
          onClick={() => clear.mutate({ assetId, attribute }, { onSuccess: onClose })}
        >
          Take the correction back
        </Button>
      )}
    </FormDialog>
  )
}

function choicesOf(attribute: Offered['attribute']): { value: string; label: string }[] | undefined {
  if (attribute === 'assetType') return assetTypes.map((type) => ({ value: type, label: typeName(type) }))
  if (attribute !== 'deviceType') return undefined
  return deviceTypes.map((type) => ({
    value: type,
    label: type === 'unknown' ? 'None of these' : deviceTypeName(type),
  }))
}
