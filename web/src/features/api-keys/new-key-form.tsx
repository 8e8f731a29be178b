import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { CreateApiKeyDocument, type CreateApiKeyData } from '#api/generated/api-keys.ts'
import type { KeyScope } from '#api/generated/enums-and-inputs.ts'
import { useChange } from '#api/query-client.ts'
import { AssetLimitField } from '#features/conditions/asset-condition-field.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { asVariables, expiryChoices } from './key-expiry.ts'
import { keyScopes } from './key-scopes.ts'

interface NewKeyFormProps {
  readonly isOpen: boolean
  readonly onIssued: (issued: CreateApiKeyData['createApiKey']) => void
  readonly onClose: () => void
}

export function NewKeyForm({ isOpen, onIssued, onClose }: NewKeyFormProps) {
  const form = useNewKey()
  const create = useChange(CreateApiKeyDocument, {
    isQuiet: true,
    onDone: ({ createApiKey }) => onIssued(createApiKey),
  })
  return (
    <FormDialog
      isOpen={isOpen}
      title="New API key"
      action="Create key"
      form={form}
      onSubmit={({ name, scopes, where, expiry }) =>
        create.mutateAsync({ name: name.trim(), scopes, where: where.trim(), ...asVariables(expiry) })
      }
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="The script or system that will carry it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Scopes" required {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {keyScopes.map(({ scope, title, text }) => (
            <Checkbox key={scope} value={scope} label={<code>{title}</code>} description={text} />
          ))}
        </Stack>
      </Checkbox.Group>
      <AssetLimitField
        description="Other assets are not there for whoever has the key."
        {...form.getInputProps('where')}
      />
      <Select
        label="Expires after"
        description="Rotate it before then, and nothing stops."
        data={expiryChoices}
        {...form.getInputProps('expiry')}
      />
    </FormDialog>
  )
}

function useNewKey() {
  return useForm({
    initialValues: { name: '', scopes: ['read'] as KeyScope[], where: '', expiry: '90' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Say what the key is for.' : null),
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one.' : null),
    },
  })
}
