import type { FailureCode } from '#platform/egress/failures.ts'
import type { RequestPhase } from '#platform/egress/request-phase.ts'

/** States of a delivery, as named in the API. */
export const deliveryStatuses = ['Pending', 'Processing', 'Failed', 'Delivered', 'Dead letter'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Pseudo status of events without delivery, because the endpoint was disabled. */
export const NOT_DELIVERED = 'Not delivered'

/** The delivery of one event to one endpoint. */
export interface Delivery {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly status: DeliveryStatus
  /** Attempts that have ended. */
  readonly attempts: number
  /** The body; null when the event is older than the retention. */
  readonly payload: unknown
  readonly lastError: string | null
  /** The delivery of the same event that was resent. */
  readonly replayOf: string | null
  readonly createdAt: string
  /** Null while it is in flight, after it ended, or while its endpoint is not active. */
  readonly nextAttemptAt: string | null
  readonly finishedAt: string | null
}

export interface DeliveryFilter {
  /** Absent: all endpoints of the tenant. */
  readonly endpointId?: string
  readonly status?: DeliveryStatus
  readonly eventType?: string
  /** RFC 3339; lower bound of the time of creation. */
  readonly since?: string
  readonly limit: number
  readonly offset: number
}

/** An event that was not delivered because the endpoint was disabled. `webhook replay` sends it. */
export interface Missed {
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly payload: unknown
  readonly occurredAt: string
}

/** One POST request, including redirects. */
export interface Attempt {
  /** From 1; an interrupted attempt has the number of the next one. */
  readonly n: number
  readonly startedAt: string
  readonly ms: number | null
  /** The last phase of the request that was reached. */
  readonly phase: RequestPhase | null
  /** HTTP status of the response. */
  readonly status: number | null
  /** Stable code of the failure when there was no response. */
  readonly fault: FailureCode | 'interrupted' | null
  /** First bytes of the response body; null for private destinations. */
  readonly excerpt: string | null
}

/** Ids are positive integers; other texts match no delivery. */
export const isDeliveryId = (text: string): boolean => /^[1-9]\d{0,17}$/.test(text)
