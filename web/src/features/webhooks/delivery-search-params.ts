import type { DeliveryStatus } from '#api/generated/operations.ts'

/** What the address of the deliveries says. */
export interface DeliverySearch {
  readonly webhook?: string | undefined
  readonly status?: DeliveryStatus | undefined
  readonly event?: string | undefined
  /** The one that is open. */
  readonly delivery?: string | undefined
}

export const DELIVERY_STATUSES: readonly { readonly value: DeliveryStatus; readonly label: string }[] = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'pending', label: 'Pending' },
  { value: 'processing', label: 'Processing' },
  { value: 'failed', label: 'Retrying' },
  { value: 'dead_letter', label: 'Dead letter' },
]

/** Reads an address that anyone may have written: what is not understood is left out. */
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
