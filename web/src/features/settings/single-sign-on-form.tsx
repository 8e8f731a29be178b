import { PasswordInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { SetSignOnDocument, type SignOnSettings } from '#api/generated/settings.ts'
import { RolesDocument } from '#api/generated/users-and-roles.ts'
import { q, useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface SingleSignOnFormProps {
  readonly signOn: SignOnSettings | null
  readonly onClose: () => void
}

export function SingleSignOnForm({ signOn, onClose }: SingleSignOnFormProps) {
  const { data } = useQuery(q(RolesDocument, {}))
  const set = useChange(SetSignOnDocument, { done: 'Single sign-on is on', isQuiet: true })
  const form = useForm({
    initialValues: {
      issuer: signOn?.issuer ?? '',
      clientId: signOn?.clientId ?? '',
      clientSecret: '',
      domains: [...(signOn?.domains ?? [])],
      roleId: signOn?.role.id ?? '',
    },
    validate: { roleId: (roleId) => (roleId === '' ? 'Choose what newcomers become.' : null) },
  })
  return (
    <FormDialog
      isOpen
      title="Single sign-on"
      action="Save"
      form={form}
      onSubmit={({ clientSecret, ...values }) =>
        set.mutateAsync({ ...values, clientSecret: clientSecret === '' ? null : clientSecret })
      }
      onClose={onClose}
    >
      <Provider isKnown={signOn !== null} input={(name) => form.getInputProps(name)} />
      <TagsInput
        label="Domains"
        description="Of the addresses the provider may speak for. Press Enter after each."
        {...form.getInputProps('domains')}
      />
      <Select
        label="Newcomers become"
        data={(data?.roles ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        required
        {...form.getInputProps('roleId')}
      />
    </FormDialog>
  )
}

interface ProviderProps {
  readonly isKnown: boolean
  readonly input: (name: string) => object
}

function Provider({ isKnown, input }: ProviderProps) {
  return (
    <>
      <TextInput
        label="Issuer"
        description="The provider's address, as it calls itself."
        placeholder="https://login.example.org"
        required
        data-autofocus
        {...input('issuer')}
      />
      <TextInput
        label="Client id"
        description={`The provider sends people back to ${location.origin}/session/sign-on/callback.`}
        required
        {...input('clientId')}
      />
      <PasswordInput
        label="Client secret"
        description={isKnown ? 'Empty: the one that is kept stays.' : undefined}
        autoComplete="off"
        {...input('clientSecret')}
      />
    </>
  )
}
