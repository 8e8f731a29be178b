import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { PartnerScope } from '#api/generated/enums-and-inputs.ts'
import { CreatePartnerKeyDocument } from '#api/generated/partners.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { partnerScopes } from './partner-scopes.ts'

interface NewPartnerKeyFormProps {
  readonly partnerId: string
  readonly onIssued: (secret: string) => void
  readonly onClose: () => void
}

const expiryChoices = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Never' },
]

export function NewPartnerKeyForm({ partnerId, onIssued, onClose }: NewPartnerKeyFormProps) {
  const form = useForm({
    initialValues: { name: '', scopes: ['partner_read'] as PartnerScope[], expiry: '90' },
    validate: { scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one.' : null) },
  })
  const create = useChange(CreatePartnerKeyDocument, {
    isQuiet: true,
    onDone: ({ createPartnerKey }) => onIssued(createPartnerKey.secret),
  })
  return (
    <FormDialog
      isOpen
      title="New partner key"
      action="Create key"
      form={form}
      onSubmit={({ name, scopes, expiry }) =>
        create.mutateAsync({
          partnerId,
          name: name.trim(),
          scopes,
          expiresInDays: expiry === 'never' ? null : Number(expiry),
          never: expiry === 'never',
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The system of the partner that sends it."
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Scopes" required {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {partnerScopes.map(({ scope, title, text }) => (
            <Checkbox key={scope} value={scope} label={<code>{title}</code>} description={text} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select label="Expires after" data={expiryChoices} {...form.getInputProps('expiry')} />
    </FormDialog>
  )
}
