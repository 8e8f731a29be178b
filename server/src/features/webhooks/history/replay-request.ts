/** Input of a replay: the events of a period are sent to an endpoint again. */
export interface ReplayRequest {
  readonly endpointId: string
  /** RFC 3339. */
  readonly since: string
  /** RFC 3339, exclusive; default: now. */
  readonly until?: string
  /** Leaves out events that were delivered. */
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
