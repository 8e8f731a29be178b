/** How deliveries to one endpoint go, over the last day. */
export interface EndpointHealth {
  readonly endpointId: string
  readonly delivered: number
  readonly deadLetters: number
  /** Not delivered yet, after at least one attempt; however old. */
  readonly retrying: number
  /** Not attempted yet. */
  readonly waiting: number
  readonly lastDeliveredAt: string | null
  /** Of what was given up or is tried again, the latest. */
  readonly lastError: string | null
}
