import type { FailureCode } from '#platform/egress/failures.ts'
import type { RequestPhase } from '#platform/egress/request-phase.ts'

/** The states of a delivery, as the contract names them. */
export const deliveryStatuses = ['Pending', 'Processing', 'Failed', 'Delivered', 'Dead letter'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Stands for the status of what never became a delivery: it happened while its endpoint was disabled. */
export const NOT_DELIVERED = 'Not delivered'

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly status: DeliveryStatus
  /** Attempts that have ended. */
  readonly attempts: number
  /** What is sent; null when the event is kept no longer. */
  readonly payload: unknown
  readonly lastError: string | null
  /** The delivery of the same event that this one repeats. */
  readonly replayOf: string | null
  readonly createdAt: string
  /** Null when it is under way, has ended, or waits for its endpoint to be active. */
  readonly nextAttemptAt: string | null
  readonly finishedAt: string | null
}

export interface DeliveryFilter {
  /** All of the tenant's unless given. */
  readonly endpointId?: string
  readonly status?: DeliveryStatus
  readonly eventType?: string
  /** RFC 3339; when the delivery was ordered. */
  readonly since?: string
  readonly limit: number
  readonly offset: number
}

/** An event that an endpoint would have been sent, had it not been disabled. `webhook replay` sends it. */
export interface Missed {
  readonly endpointId: string
  readonly eventId: string
  readonly eventType: string
  readonly payload: unknown
  readonly occurredAt: string
}

/** One POST, redirects included. */
export interface Attempt {
  /** From 1; one that was cut off by the end of its worker has the number of the one that follows. */
  readonly n: number
  readonly startedAt: string
  readonly ms: number | null
  /** How far it got. */
  readonly phase: RequestPhase | null
  /** Of the answer. */
  readonly status: number | null
  /** Why there was no answer, as a stable code. */
  readonly fault: FailureCode | 'interrupted' | null
  /** The beginning of the answer's body; none from a private destination. */
  readonly excerpt: string | null
}

/** A delivery's id is a number that the database counts; anything else names none. */
export const isDeliveryId = (text: string): boolean => /^[1-9]\d{0,17}$/.test(text)
