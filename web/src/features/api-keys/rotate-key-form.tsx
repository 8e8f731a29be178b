import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { RotateApiKeyDocument, type ApiKeyRow, type RotateApiKeyData } from '#api/generated/api-keys.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { asVariables, expiryChoices } from './key-expiry.ts'

interface RotateKeyFormProps {
  readonly apiKey: ApiKeyRow
  readonly onIssued: (issued: RotateApiKeyData['rotateApiKey']) => void
  readonly onClose: () => void
}

const UNCHANGED = 'as-it-was'

export function RotateKeyForm({ apiKey, onIssued, onClose }: RotateKeyFormProps) {
  const form = useForm({ initialValues: { expiry: apiKey.isExpired ? '90' : UNCHANGED } })
  const rotate = useChange(RotateApiKeyDocument, {
    isQuiet: true,
    onDone: ({ rotateApiKey }) => onIssued(rotateApiKey),
  })
  const unchanged = { value: UNCHANGED, label: 'As long as the old one would have worked' }
  return (
    <FormDialog
      isOpen
      title={`Rotate ${apiKey.name}`}
      action="Rotate key"
      form={form}
      onSubmit={({ expiry }) => rotate.mutateAsync({ id: apiKey.id, ...asVariables(expiry) })}
      onClose={onClose}
    >
      <p>
        A new key with the same name and scopes takes its place. The old one, <code>{apiKey.prefix}…</code>,
        stops working at once.
      </p>
      <Select
        label="The new key works"
        data={apiKey.isExpired ? expiryChoices : [unchanged, ...expiryChoices]}
        data-autofocus
        {...form.getInputProps('expiry')}
      />
    </FormDialog>
  )
}
