import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toastDone } from '#ui/toast.ts'
import { changePassword } from './account-requests.ts'

export function PasswordForm({ onClose }: { readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { current: '', next: '', again: '' },
    validate: { again: (again, { next }) => (again === next ? null : 'It differs from the one above.') },
  })
  return (
    <FormDialog
      isOpen
      title="Change password"
      action="Change password"
      form={form}
      onSubmit={async ({ current, next }) => {
        await changePassword(current, next)
        toastDone('Password changed; your other sessions have ended')
      }}
      onClose={onClose}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('current')}
      />
      <PasswordInput
        label="New password"
        description="Long beats complicated: four words that nobody else would put together."
        autoComplete="new-password"
        required
        {...form.getInputProps('next')}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        required
        {...form.getInputProps('again')}
      />
    </FormDialog>
  )
}
