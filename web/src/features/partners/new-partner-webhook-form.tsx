import { Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { CreatePartnerWebhookDocument } from '#api/generated/partners.ts'
import { EventCatalogueDocument } from '#api/generated/webhooks.ts'
import { q, useChange } from '#api/query-client.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface NewPartnerWebhookFormProps {
  readonly partnerId: string
  /** Called when the server generated the secret. */
  readonly onIssued: (secret: string) => void
  readonly onClose: () => void
}

const SHORT_SECRET = 16

export function NewPartnerWebhookForm({ partnerId, onIssued, onClose }: NewPartnerWebhookFormProps) {
  const { data } = useQuery(q(EventCatalogueDocument, {}))
  const form = useForm({
    initialValues: { name: '', url: '', events: [] as string[], secret: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Say who receives it.' : null),
      url: (url) => (url.trim() === '' ? 'Say where to send.' : null),
      events: (events) => (events.length === 0 ? 'Choose at least one.' : null),
    },
  })
  const create = useChange(CreatePartnerWebhookDocument, { isQuiet: true, done: 'Webhook created' })
  const { secret } = form.values
  return (
    <FormDialog
      isOpen
      title="New partner webhook"
      action="Create webhook"
      form={form}
      onSubmit={async ({ name, url, events, secret: given }) => {
        const fields = { partnerId, name: name.trim(), url: url.trim(), events }
        const made = await create.mutateAsync(given === '' ? fields : { ...fields, secret: given })
        if (given === '') onIssued(made.createPartnerWebhook.secret)
      }}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput label="URL" type="url" required spellCheck={false} {...form.getInputProps('url')} />
      <Checkbox.Group label="Events" required {...form.getInputProps('events')}>
        <Stack gap="xs" mt="xs">
          {data?.eventCatalogue
            .filter(({ isEmitted }) => isEmitted)
            .map(({ type, sentWhen }) => (
              <Checkbox key={type} value={type} label={sentenceCase(type.toLowerCase())} title={sentWhen} />
            ))}
        </Stack>
      </Checkbox.Group>
      <PasswordInput
        label="Secret"
        description={
          secret !== '' && secret.length < SHORT_SECRET
            ? 'Fewer than 16 characters can be guessed.'
            : 'Leave it empty to have one generated and shown once.'
        }
        autoComplete="off"
        {...form.getInputProps('secret')}
      />
    </FormDialog>
  )
}
