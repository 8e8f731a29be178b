import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { SetUserRoleDocument, type MemberRow, type RoleRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface MemberRoleFormProps {
  readonly member: MemberRow
  readonly roles: readonly RoleRow[]
  readonly onClose: () => void
}

export function MemberRoleForm({ member, roles, onClose }: MemberRoleFormProps) {
  const form = useForm({ initialValues: { roleId: member.role.id } })
  const change = useChange(SetUserRoleDocument, { isQuiet: true, done: 'Role changed' })
  return (
    <FormDialog
      isOpen
      title={`Role of ${member.email}`}
      action="Change role"
      form={form}
      onSubmit={({ roleId }) => change.mutateAsync({ userId: member.id, roleId })}
      onClose={onClose}
    >
      <Select
        label="Role"
        description="Takes effect with their next request."
        data={roles.map(({ id, name }) => ({ value: id, label: name }))}
        data-autofocus
        {...form.getInputProps('roleId')}
      />
    </FormDialog>
  )
}
