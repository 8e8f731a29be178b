import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { DeliveryStatus, EventType } from '#api/generated/enums-and-inputs.ts'
import styles from './delivery-filters.module.css'
import { DELIVERY_STATUSES, type DeliverySearch } from './delivery-search-params.ts'

interface DeliveryFiltersProps {
  readonly search: DeliverySearch
  readonly webhooks: readonly { readonly id: string; readonly name: string }[]
  readonly events: readonly EventType[]
}

export function DeliveryFilters({ search, webhooks, events }: DeliveryFiltersProps) {
  const navigate = useNavigate()
  const choose = (change: DeliverySearch) => {
    void navigate({ to: '/deliveries', search: { ...search, ...change }, replace: true })
  }
  return (
    <div className={styles['filters']}>
      <Select
        aria-label="Webhook"
        placeholder="All webhooks"
        clearable
        data={webhooks.map(({ id, name }) => ({ value: id, label: name }))}
        value={search.webhook ?? null}
        onChange={(webhook) => choose({ webhook: webhook ?? undefined })}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={[...DELIVERY_STATUSES]}
        value={search.status ?? null}
        onChange={(status) => choose({ status: (status ?? undefined) as DeliveryStatus | undefined })}
      />
      <Select
        aria-label="Event"
        placeholder="All events"
        clearable
        data={[...events]}
        value={search.event ?? null}
        onChange={(event) => choose({ event: event ?? undefined })}
      />
    </div>
  )
}
