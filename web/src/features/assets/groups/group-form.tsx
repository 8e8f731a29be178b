import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  CreateAssetGroupDocument,
  UpdateAssetGroupDocument,
  type AssetGroupsData,
} from '#api/generated/groups.ts'
import { useChange } from '#api/query-client.ts'
import { AssetConditionField } from '#features/conditions/asset-condition-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface GroupFormProps {
  /** Undefined: a new one. */
  readonly group: AssetGroupsData['assetGroups'][number] | undefined
  readonly onClose: () => void
}

/** Makes or changes a group; below its condition stands how many assets it has. */
export function GroupForm({ group, onClose }: GroupFormProps) {
  const form = useForm({
    initialValues: {
      name: group?.name ?? '',
      description: group?.description ?? '',
      condition: group?.condition ?? '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “Oslo servers”.' : null),
      condition: (text) => (text.trim() === '' ? 'Say which assets are meant.' : null),
    },
  })
  const create = useChange(CreateAssetGroupDocument, { done: 'Group made', isQuiet: true })
  const update = useChange(UpdateAssetGroupDocument, { done: 'Group saved', isQuiet: true })
  return (
    <FormDialog
      isOpen
      title={group ? `Edit ${group.name}` : 'New group'}
      action={group ? 'Save group' : 'Make group'}
      form={form}
      onSubmit={(values) =>
        group ? update.mutateAsync({ id: group.id, ...values }) : create.mutateAsync(values)
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput label="What it is for" {...form.getInputProps('description')} />
      <AssetConditionField
        description="Its members are the assets for which this is true at the moment of asking."
        value={form.values.condition}
        error={form.errors['condition']}
        onChange={(condition) => form.setFieldValue('condition', condition)}
      />
    </FormDialog>
  )
}
