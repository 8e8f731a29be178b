import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeliveryStatus } from '#api/generated/enums-and-inputs.ts'
import { WebhookHealthDocument, type WebhookRow } from '#api/generated/webhooks.ts'
import { q } from '#api/query-client.ts'
import { count, percent } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** Delivery statistics of a webhook, from one query for all; undefined while loading. */
export function useHealth(id: string) {
  const { data } = useQuery(q(WebhookHealthDocument, {}))
  return data?.webhookHealth.find(({ webhookId }) => webhookId === id)
}

/** State of the receiver over the last day, in one word. */
export function WebhookHealth({ webhook }: { readonly webhook: WebhookRow }) {
  const health = useHealth(webhook.id)
  if (!webhook.active)
    return (
      <Badge sign="○" {...(webhook.disabledReason !== null && { tone: 'warn' })}>
        Disabled
      </Badge>
    )
  if (!health) return <Skeleton />
  const { delivered, retrying, deadLetters: dead } = health
  const ended = delivered + dead
  if (ended + retrying === 0) return <Badge sign="○">Nothing sent yet</Badge>
  if (retrying + dead === 0)
    return (
      <Badge tone="good" sign="●">
        Healthy
      </Badge>
    )
  if (delivered > 0)
    return (
      <Badge tone="warn" sign="◐">
        {percent(Math.floor((delivered / (ended + retrying)) * 100) / 100)} delivered
      </Badge>
    )
  return (
    <Badge tone="bad" sign="!">
      Failing
    </Badge>
  )
}

/** The reason why it is disabled, else the latest error while deliveries are pending, which leads to those. */
export function LastProblem({ webhook }: { readonly webhook: WebhookRow }) {
  const health = useHealth(webhook.id)
  if (webhook.disabledReason !== null) return webhook.disabledReason
  if (!health || health.retrying + health.deadLetters === 0) return null
  const status = health.retrying > 0 ? 'failed' : 'dead_letter'
  return (
    <Link to="/deliveries" search={{ webhook: webhook.id, status }}>
      {health.lastError}
    </Link>
  )
}

/** Delivery statistics of the last day. */
export function WebhookStatistics({ webhook }: { readonly webhook: WebhookRow }) {
  const health = useHealth(webhook.id)
  if (!health) return <Skeleton />
  const { delivered, retrying, waiting, deadLetters: dead } = health
  const parts = [
    `${count(delivered)} delivered`,
    waiting > 0 && `${count(waiting)} waiting`,
    retrying > 0 && `${count(retrying)} retrying`,
    dead > 0 && `${count(dead)} given up`,
  ]
  return <span className="quiet">{parts.filter(Boolean).join(' · ')}</span>
}

const STATUS_BADGES = {
  pending: { tone: 'none', sign: '…' },
  processing: { tone: 'info', sign: '◐' },
  failed: { tone: 'warn', sign: '!' },
  delivered: { tone: 'good', sign: '✓' },
  dead_letter: { tone: 'bad', sign: '×' },
} as const

/** `failed` is retried; `dead_letter` is not. */
export function DeliveryStatusBadge({ status }: { readonly status: DeliveryStatus }) {
  return <Badge {...STATUS_BADGES[status]}>{status === 'failed' ? 'Retrying' : sentenceCase(status)}</Badge>
}
