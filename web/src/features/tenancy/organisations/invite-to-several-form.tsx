import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Tenant } from '#api/session.ts'
import { many } from '#lib/numbers.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import styles from './invite-to-several.module.css'
import { inviteToSeveral, ROLES, type Invited } from './invite-to-several.ts'

interface InviteToSeveralFormProps {
  readonly tenants: readonly Tenant[]
  readonly onInvited: (invited: readonly Invited[]) => void
  readonly onClose: () => void
}

/** One person into several organisations. */
export function InviteToSeveralForm({ tenants, onInvited, onClose }: InviteToSeveralFormProps) {
  const form = useForm({
    initialValues: { email: '', role: ROLES[0] as string },
    validate: {
      email: (email) => (email.includes('@') ? null : 'An email address, such as ada@example.org.'),
    },
  })
  return (
    <FormDialog
      isOpen
      title={`Invite somebody to ${many(tenants.length, 'organisation')}`}
      action="Make the invitations"
      form={form}
      onSubmit={async ({ email, role }) =>
        onInvited(await inviteToSeveral(tenants, { email: email.trim(), role }))
      }
      onClose={onClose}
    >
      <TextInput
        label="Email"
        description="Rollcall sends no mail: you get a link for each organisation to pass on."
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Select label="Role in each of them" data={[...ROLES]} {...form.getInputProps('role')} />
    </FormDialog>
  )
}

interface InvitationLinksProps {
  readonly invited: readonly Invited[]
  readonly onClose: () => void
}

/** What came of it; closes only by its button, since no link is shown again. */
export function InvitationLinks({ invited, onClose }: InvitationLinksProps) {
  const linked = invited.filter(({ link }) => link !== undefined)
  const text = linked.map(({ tenant, link }) => `${tenant.name}: ${link}`).join('\n')
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${many(linked.length, 'invitation')} made`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={styles['text']}>
        Each link works once, for seven days, and is shown this once.
        {linked.length > 0 && <CopyButton value={text} label="Copy all links" />}
      </p>
      <ul className={styles['list']}>
        {invited.map(({ tenant, link, problem }) => (
          <li key={tenant.id}>
            <strong>{tenant.name}</strong>
            {link === undefined ? <span className={styles['problem']}>{problem}</span> : <code>{link}</code>}
          </li>
        ))}
      </ul>
      <Button fullWidth mt="md" onClick={onClose} data-autofocus>
        I have passed them on
      </Button>
    </Modal>
  )
}
