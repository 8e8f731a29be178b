import { Checkbox, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ReplayWebhookDocument, type WebhookRow } from '#api/generated/webhooks.ts'
import { useChange } from '#api/query-client.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'

interface ReplayFormProps {
  readonly webhook: WebhookRow
  readonly onClose: () => void
}

const HOUR_MS = 3_600_000
const SPANS = [
  { value: '1', label: 'The last hour' },
  { value: '6', label: 'The last 6 hours' },
  { value: '24', label: 'The last day' },
  { value: '72', label: 'The last 3 days' },
  { value: '168', label: 'The last week' },
]

export function ReplayForm({ webhook, onClose }: ReplayFormProps) {
  const form = useForm({ initialValues: { since: '24', onlyMissed: true } })
  const replay = useChange(ReplayWebhookDocument, { isQuiet: true, done: 'Replay started' })
  return (
    <FormDialog
      isOpen
      title={`Replay to ${webhook.name}`}
      action="Start replay"
      form={form}
      onSubmit={({ since, onlyMissed }) =>
        replay.mutateAsync({
          id: webhook.id,
          since: new Date(Date.now() - Number(since) * HOUR_MS).toISOString(),
          onlyMissed,
        })
      }
      onClose={onClose}
    >
      <p>Sends again what happened, what was missed while the webhook was disabled included.</p>
      <Select label="What happened in" data={SPANS} data-autofocus {...form.getInputProps('since')} />
      <Checkbox
        label="Only what did not arrive"
        description="Else the receiver gets again what it has already; it can tell by the event's id."
        {...form.getInputProps('onlyMissed', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
