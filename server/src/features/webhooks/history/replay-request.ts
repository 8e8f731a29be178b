/** Which events are sent to an endpoint again: those of a period. */
export interface ReplayRequest {
  readonly endpointId: string
  /** RFC 3339. */
  readonly since: string
  /** RFC 3339, not included; now unless given. */
  readonly until?: string
  /** Leaves out what has been delivered. */
  readonly onlyMissed: boolean
}

export interface Replay extends Required<ReplayRequest> {
  readonly id: string
  /** Deliveries created so far. */
  readonly deliveries: number
  readonly createdAt: string
  /** Null while it runs. */
  readonly finishedAt: string | null
}
