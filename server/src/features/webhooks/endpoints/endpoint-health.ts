/** Delivery statistics of one endpoint, over the last day. */
export interface EndpointHealth {
  readonly endpointId: string
  readonly delivered: number
  readonly deadLetters: number
  /** Pending deliveries with at least one attempt, of any age. */
  readonly retrying: number
  /** Pending deliveries without an attempt. */
  readonly waiting: number
  readonly lastDeliveredAt: string | null
  /** Latest error of dead letters and of deliveries that are being retried. */
  readonly lastError: string | null
}
