import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { CreateAssetDocument } from '#api/generated/asset.ts'
import { useChange } from '#api/query-client.ts'
import { toastDone } from '#ui/toast.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { assetTypes, typeName } from '../asset-types.ts'
import styles from './new-asset-form.module.css'
import { TagPicker } from './tag-picker.tsx'

const NOTHING = {
  name: '',
  assetType: 'device',
  ipAddress: '',
  macAddress: '',
  serial: '',
  os: '',
  vendor: '',
  model: '',
  tags: [] as string[],
}

/** An asset that no scan finds, such as one in stock. What is known already is found again, not made twice. */
export function NewAssetForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    initialValues: NOTHING,
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name.' : null) },
  })
  const create = useChange(CreateAssetDocument, {
    isQuiet: true,
    onDone: ({ createAsset: { id, name, isNew } }) => {
      toastDone(isNew ? `${name} added` : `${name} was known already; what was new is added to it`)
      void navigate({ to: '/assets/$assetId', params: { assetId: id } })
    },
  })
  return (
    <FormDialog
      isOpen
      title="New asset"
      action="Add asset"
      form={form}
      onSubmit={({ name, assetType, tags, ...texts }) => {
        const given = Object.entries(texts).filter(([, text]) => text.trim() !== '')
        return create.mutateAsync({ ...Object.fromEntries(given), name: name.trim(), assetType, tags })
      }}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select
        label="Type"
        data={assetTypes.map((type) => ({ value: type, label: typeName(type) }))}
        {...form.getInputProps('assetType')}
      />
      <div className={styles['pair']}>
        <TextInput label="IP address" {...form.getInputProps('ipAddress')} />
        <TextInput label="MAC address" {...form.getInputProps('macAddress')} />
      </div>
      <div className={styles['pair']}>
        <TextInput label="Serial" {...form.getInputProps('serial')} />
        <TextInput label="Operating system" {...form.getInputProps('os')} />
      </div>
      <div className={styles['pair']}>
        <TextInput label="Make" {...form.getInputProps('vendor')} />
        <TextInput label="Model" {...form.getInputProps('model')} />
      </div>
      <TagPicker {...form.getInputProps('tags')} />
    </FormDialog>
  )
}
