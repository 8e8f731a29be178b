import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { InviteUserDocument, type InviteUserData, type RoleRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface InviteFormProps {
  readonly roles: readonly RoleRow[]
  readonly onInvited: (invited: InviteUserData['inviteUser']) => void
  readonly onClose: () => void
}

export function InviteForm({ roles, onInvited, onClose }: InviteFormProps) {
  const least = roles.toSorted((a, b) => a.permissions.length - b.permissions.length)[0]
  const form = useForm({
    initialValues: { email: '', roleId: least?.id ?? '' },
    validate: {
      email: (email) => (email.includes('@') ? null : 'An email address, such as ada@example.org.'),
    },
  })
  const invite = useChange(InviteUserDocument, {
    isQuiet: true,
    onDone: ({ inviteUser }) => onInvited(inviteUser),
  })
  return (
    <FormDialog
      isOpen
      title="Invite somebody"
      action="Make the invitation"
      form={form}
      onSubmit={({ email, roleId }) => invite.mutateAsync({ email: email.trim(), roleId })}
      onClose={onClose}
    >
      <TextInput
        label="Email"
        description="Rollcall sends no mail: you get a link to pass on. A second invitation replaces the first."
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Select
        label="Role"
        data={roles.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('roleId')}
      />
    </FormDialog>
  )
}
