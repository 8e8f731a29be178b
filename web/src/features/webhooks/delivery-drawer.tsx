import { Button, Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import {
  ResendWebhookDeliveryDocument,
  WebhookDeliveryDocument,
  WebhooksDocument,
  type WebhookDeliveryData,
} from '#api/generated/webhooks.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { exactly } from '#lib/dates.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import layout from '#ui/details.module.css'
import { JsonBlock } from '#ui/json-block.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Timeline } from '#ui/timeline.tsx'
import styles from './delivery-drawer.module.css'
import { DeliveryStatusBadge } from './webhook-status.tsx'

interface DeliveryDrawerProps {
  readonly id: string
  readonly onClose: () => void
}

/** One delivery with its payload and attempts. */
export function DeliveryDrawer({ id, onClose }: DeliveryDrawerProps) {
  const { data, error, refetch } = useQuery(q(WebhookDeliveryDocument, { id }))
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="Delivery">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonBlock label="Loading the delivery" />}
      {data && <Detail {...data.webhookDelivery} />}
    </Drawer>
  )
}

type DetailProps = WebhookDeliveryData['webhookDelivery']

function Detail({ delivery, attempts }: DetailProps) {
  const may = usePermission()
  const resend = useChange(ResendWebhookDeliveryDocument, { done: 'Sent again, as a new delivery' })
  return (
    <div className={layout['body']}>
      <div className={styles['head']}>
        <DeliveryStatusBadge status={delivery.status} />
        {may('webhooks:write') && (
          <Button
            variant="default"
            leftSection={<Send size={13} aria-hidden />}
            disabled={delivery.finishedAt === null}
            title={delivery.finishedAt === null ? 'It is still under way' : undefined}
            loading={resend.isPending}
            onClick={() => resend.mutate({ id: delivery.id })}
          >
            Resend
          </Button>
        )}
      </div>
      <Facts delivery={delivery} />
      <section>
        <h3 className={layout['part']}>Attempts</h3>
        <Attempts attempts={attempts} />
      </section>
      <section>
        <h3 className={layout['part']}>Payload</h3>
        {delivery.payload === null ? (
          <p className="quiet">The event is kept no longer.</p>
        ) : (
          <JsonBlock label="Payload" value={delivery.payload} />
        )}
      </section>
    </div>
  )
}

function Facts({ delivery }: { readonly delivery: DetailProps['delivery'] }) {
  const { eventType, eventId, id, replayOf, createdAt, nextAttemptAt, finishedAt, lastError } = delivery
  const { data } = useQuery(q(WebhooksDocument, {}))
  const webhook = data?.webhooks.find((it) => it.id === delivery.webhookId)
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Webhook', webhook?.name],
    ['Address', webhook?.url],
    ['Event', eventType],
    ['Event id', eventId],
    ['Delivery id', id],
    ['Repeats', replayOf],
    ['Made', exactly(createdAt)],
    ['Next attempt', nextAttemptAt && exactly(nextAttemptAt)],
    ['Ended', finishedAt && exactly(finishedAt)],
    ['Last problem', lastError],
  ]
  return (
    <dl className={layout['facts']}>
      {facts.map(([name, value]) =>
        value ? (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  )
}

function Attempts({ attempts }: { readonly attempts: DetailProps['attempts'] }) {
  if (attempts.length === 0) return <p className="quiet">None yet.</p>
  const entries = attempts.toReversed().map(({ n, startedAt, ms, phase, status, fault, excerpt }) => ({
    id: String(n),
    at: startedAt,
    title: `${n}. ${status === null ? sentenceCase(fault ?? 'no answer') : `Answered ${status}`}`,
    text: (
      <>
        {[ms !== null && `${ms} ms`, status === null && phase && `reached: ${phase}`]
          .filter(Boolean)
          .join(' · ')}
        {excerpt && <code className={styles['excerpt']}>{excerpt}</code>}
      </>
    ),
  }))
  return <Timeline entries={entries} />
}
