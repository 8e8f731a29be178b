import { Checkbox, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { EventType } from '#api/generated/enums-and-inputs.ts'
import {
  CreateWebhookDocument,
  EventCatalogueDocument,
  UpdateWebhookDocument,
  type WebhookRow,
} from '#api/generated/webhooks.ts'
import { q, useChange } from '#api/query-client.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/number-field.tsx'
import styles from './webhook-form.module.css'
import type { IssuedSecret } from './webhook-secret.tsx'

interface WebhookFormProps {
  /** The webhook to change; undefined for a new one. */
  readonly webhook: WebhookRow | undefined
  readonly onIssued: (issued: IssuedSecret) => void
  readonly onClose: () => void
}

export function WebhookForm({ webhook, onIssued, onClose }: WebhookFormProps) {
  const form = useForm({
    initialValues: initialOf(webhook),
    validate: {
      name: (name) => (name.trim() === '' ? 'Say who receives it.' : null),
      url: (url) => (url.trim() === '' ? 'Say where to send.' : null),
      events: (events) => (events.length === 0 ? 'Choose at least one.' : null),
    },
  })
  const create = useChange(CreateWebhookDocument, {
    isQuiet: true,
    onDone: (it) => onIssued(it.createWebhook),
  })
  const update = useChange(UpdateWebhookDocument, { isQuiet: true, done: 'Webhook changed' })
  return (
    <FormDialog
      isOpen
      title={webhook ? `Change ${webhook.name}` : 'New webhook'}
      action={webhook ? 'Save changes' : 'Create webhook'}
      form={form}
      onSubmit={(values) => {
        const fields = fieldsOf(values)
        return webhook ? update.mutateAsync({ id: webhook.id, ...fields }) : create.mutateAsync(fields)
      }}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="URL"
        description="Where events are posted, signed. Private addresses are refused unless the operator lists them in WEBHOOK_ALLOW_PRIVATE."
        placeholder="https://example.org/hooks/rollcall"
        type="url"
        required
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <EventChoice subscribed={webhook?.events ?? []} {...form.getInputProps('events')} />
      <Limits input={(name) => form.getInputProps(name)} />
      <Switch
        label="Active"
        description="While it is not, nothing is sent; what happens meanwhile can be replayed."
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}

interface Values {
  name: string
  url: string
  events: EventType[]
  active: boolean
  maxInFlight: number | string
  maxRate: number | string
  autoDisableDays: number | string
  [key: string]: unknown
}

const initialOf = (webhook: WebhookRow | undefined): Values => ({
  name: webhook?.name ?? '',
  url: webhook?.url ?? '',
  events: [...(webhook?.events ?? [])],
  active: webhook?.active ?? true,
  maxInFlight: webhook?.maxInFlight ?? '',
  maxRate: webhook?.maxRate ?? '',
  autoDisableDays: webhook?.autoDisableDays ?? '',
})

const fieldsOf = ({ name, url, events, active, ...limits }: Values) => ({
  name: name.trim(),
  url: url.trim(),
  events,
  active,
  maxInFlight: numberOf(limits.maxInFlight),
  maxRate: numberOf(limits.maxRate),
  autoDisableDays: numberOf(limits.autoDisableDays),
})

/** Null: no limit. */
const numberOf = (input: number | string): number | null => (input === '' ? null : Number(input))

interface EventChoiceProps {
  /** Event types that are subscribed already; offered even if no feature emits them, so that they can be removed. */
  readonly subscribed: readonly EventType[]
  readonly value?: EventType[]
  readonly error?: React.ReactNode
  readonly onChange?: (value: string[]) => void
}

function EventChoice({ subscribed, ...props }: EventChoiceProps) {
  const { data } = useQuery(q(EventCatalogueDocument, {}))
  const offered = data?.eventCatalogue.filter((it) => it.isEmitted || subscribed.includes(it.type))
  return (
    <Checkbox.Group label="Events" required {...props}>
      <div className={styles['events']}>
        {offered?.map(({ type, sentWhen }) => (
          <Checkbox key={type} value={type} label={sentenceCase(type.toLowerCase())} title={sentWhen} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

function Limits({ input }: { readonly input: (name: string) => object }) {
  return (
    <div className={styles['limits']}>
      <NumberField
        label="At once"
        description="Deliveries"
        placeholder="No limit"
        min={1}
        {...input('maxInFlight')}
      />
      <NumberField
        isDecimal
        label="A second"
        description="Attempts"
        placeholder="No limit"
        min={0}
        {...input('maxRate')}
      />
      <NumberField
        label="Disable after"
        description="Days of failures"
        placeholder="Never"
        min={1}
        {...input('autoDisableDays')}
      />
    </div>
  )
}
