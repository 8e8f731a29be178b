import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { CreateRoleDocument, UpdateRoleDocument, type RoleRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { AssetLimitField } from '#features/conditions/asset-condition-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { PermissionMatrix } from './permission-matrix.tsx'

interface RoleFormProps {
  /** The role to change; undefined for a new one. */
  readonly role: RoleRow | undefined
  readonly permissions: readonly string[]
  readonly onClose: () => void
}

export function RoleForm({ role, permissions, onClose }: RoleFormProps) {
  const form = useForm({
    initialValues: {
      name: role?.name ?? '',
      where: role?.where ?? '',
      permissions: role?.permissions ?? ['assets:read'],
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as “Help desk”.' : null),
      permissions: (chosen) => (chosen.length === 0 ? 'A role without permissions opens nothing.' : null),
    },
  })
  const create = useChange(CreateRoleDocument, { isQuiet: true, done: 'Role made' })
  const update = useChange(UpdateRoleDocument, { isQuiet: true, done: 'Role changed' })
  return (
    <FormDialog
      isOpen
      title={role ? `Change ${role.name}` : 'New role'}
      action={role ? 'Save changes' : 'Create role'}
      form={form}
      onSubmit={({ name, where, permissions: chosen }) =>
        role
          ? update.mutateAsync({ id: role.id, name: name.trim(), where: where.trim(), permissions: chosen })
          : create.mutateAsync({ name: name.trim(), where: where.trim(), permissions: chosen })
      }
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <AssetLimitField
        description="Other assets are not there for whoever has the role."
        {...form.getInputProps('where')}
      />
      <PermissionMatrix all={permissions} {...form.getInputProps('permissions')} />
    </FormDialog>
  )
}
