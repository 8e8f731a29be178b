import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Mailbox } from 'lucide-react'
import {
  EventCatalogueDocument,
  WebhookDeliveriesDocument,
  WebhooksDocument,
  type DeliveryRow,
} from '#api/generated/webhooks.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import { ReplaysPanel } from './replays-panel.tsx'
import { readDeliverySearch } from './delivery-search-params.ts'
import { DeliveryStatusBadge } from './webhook-status.tsx'

const SIZE = 50

export function DeliveriesPage() {
  const search = useSearch({ from: '/app/deliveries', select: readDeliverySearch, structuralSharing: true })
  const navigate = useNavigate()
  const { webhooks, events, isNamed } = useNames()
  const [offset, setOffset] = useOffset('Deliveries')
  const eventType = events.find((type) => type === search.event)
  const { data, error, refetch } = useQuery({
    ...q(WebhookDeliveriesDocument, {
      webhookId: search.webhook ?? null,
      status: search.status ?? null,
      eventType: eventType ?? null,
      first: SIZE,
      offset,
    }),
    placeholderData: keepPreviousData,
  })
  const total = data?.webhookDeliveries.total
  const one = webhooks.find(({ id }) => id === search.webhook)
  return (
    <Page
      title={one ? `Deliveries to ${one.name}` : 'Deliveries'}
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      actions={<ToWebhooks />}
    >
      {one && <ReplaysPanel webhookId={one.id} />}
      <DeliveryFilters search={search} webhooks={webhooks} events={events} />
      <Panel isFlush>
        <DataTable
          label="Deliveries"
          columns={columnsFor(webhooks)}
          rows={isNamed ? data?.webhookDeliveries.items : undefined}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NothingSent />}
        />
        {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
      </Panel>
      {search.delivery !== undefined && (
        <DeliveryDrawer
          id={search.delivery}
          onClose={() => void navigate({ to: '/deliveries', search: { ...search, delivery: undefined } })}
        />
      )}
    </Page>
  )
}

const ToWebhooks = () => (
  <Button variant="default" renderRoot={(props) => <Link to="/webhooks" {...props} />}>
    Webhooks
  </Button>
)

function useNames() {
  const { data: named, isPending } = useQuery(q(WebhooksDocument, {}))
  const { data: catalogue } = useQuery(q(EventCatalogueDocument, {}))
  return {
    // rows without the names would grow when those come; a role may not be able to read them
    isNamed: !isPending,
    webhooks: named?.webhooks ?? [],
    events: (catalogue?.eventCatalogue ?? []).map(({ type }) => type),
  }
}

function columnsFor(
  webhooks: readonly { readonly id: string; readonly name: string }[],
): readonly Column<DeliveryRow>[] {
  return [
    {
      title: 'Event',
      cell: ({ id, eventType, webhookId }) => (
        <TwoLines below={webhooks.find((it) => it.id === webhookId)?.name ?? ''}>
          <Link to="/deliveries" search={(before) => ({ ...before, delivery: id })}>
            <code>{eventType}</code>
          </Link>
        </TwoLines>
      ),
    },
    { title: 'Status', cell: ({ status }) => <DeliveryStatusBadge status={status} /> },
    { title: 'Attempts', align: 'right', isMinor: true, cell: ({ attempts }) => count(attempts) },
    {
      title: 'Last problem',
      isMinor: true,
      cell: ({ lastError }) => <span className="quiet">{lastError}</span>,
    },
    {
      title: 'Next attempt',
      isMinor: true,
      cell: ({ nextAttemptAt }) => <Time at={nextAttemptAt} none="" />,
    },
    { title: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
}

function NothingSent() {
  return (
    <EmptyState icon={Mailbox} title="No delivery">
      As soon as an event happens that a webhook listens to, its delivery is here with every attempt.
    </EmptyState>
  )
}
