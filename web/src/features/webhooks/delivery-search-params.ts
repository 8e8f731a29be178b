import type { DeliveryStatus } from '#api/generated/enums-and-inputs.ts'

/** URL search parameters of the deliveries. */
export interface DeliverySearch {
  readonly webhook?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly event?: string | undefined
  /** Id of the delivery in the drawer. */
  readonly delivery?: string | undefined
}

export const DELIVERY_STATUSES: readonly { readonly value: DeliveryStatus; readonly label: string }[] = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'processing', label: 'Processing' },
  { value: 'failed', label: 'Retrying' },
  { value: 'dead_letter', label: 'Dead letter' },
]

/** Parses URL search parameters; invalid ones are ignored. */
export function readDeliverySearch(raw: Record<string, unknown>): DeliverySearch {
  const search: DeliverySearch = {
    webhook: textOf(raw['webhook']),
    status: DELIVERY_STATUSES.find(({ value }) => value === raw['status'])?.value,
    event: textOf(raw['event']),
    delivery: textOf(raw['delivery']),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
