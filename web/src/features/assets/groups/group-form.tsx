import { Input, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState, type ReactNode } from 'react'
import {
  CreateAssetGroupDocument,
  UpdateAssetGroupDocument,
  type AssetGroupsData,
} from '#api/generated/groups.ts'
import { useChange } from '#api/query-client.ts'
import { ConditionBox } from '#features/conditions/condition-box.tsx'
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
      <ConditionField
        value={form.values.condition}
        error={form.errors['condition']}
        onChange={(condition) => form.setFieldValue('condition', condition)}
      />
    </FormDialog>
  )
}

interface ConditionFieldProps {
  readonly value: string
  readonly error: ReactNode
  readonly onChange: (condition: string) => void
}

/** What is typed and not applied counts. */
function ConditionField({ value, error, onChange }: ConditionFieldProps) {
  const [applied, setApplied] = useState({ where: value, text: '' })
  return (
    <Input.Wrapper
      labelElement="div"
      label="Assets where"
      description="Its members are the assets for which this is true at the moment of asking."
      descriptionProps={{ mb: 4 }}
      error={error}
    >
      <ConditionBox
        subject="asset"
        label="Assets where"
        placeholder="site = Oslo and type = server"
        hint="As in the list of assets."
        {...applied}
        onChange={setApplied}
        onWritten={(written) => {
          if (written !== value) onChange(written)
        }}
      />
    </Input.Wrapper>
  )
}
