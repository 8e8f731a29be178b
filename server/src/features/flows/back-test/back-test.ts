/** A definition tried over the events of the last days. Times are RFC 3339. */
export interface BackTest {
  readonly id: string
  readonly flowId: string | null
  readonly days: number
  readonly status: 'running' | 'completed' | 'failed'
  /** Events to look at. */
  readonly total: number
  readonly done: number
  readonly result: BackTestResult | null
  readonly message: string
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** What has to be known of a result. */
export interface Known {
  /** Why it says less than it could; empty: it says all. */
  readonly note: string
  /** False: the past cannot be tried at all, so that no run does not mean none. True unless given. */
  readonly isKnown?: boolean
}

export interface BackTestResult {
  /** Runs that would have begun. */
  readonly runs: number
  /** By the guard that would have skipped them: `cool-down`, `rate` … */
  readonly skipped: readonly { readonly guard: string; readonly count: number }[]
  /** How many different assets the runs are about. */
  readonly assets: number
  /** The first 1,000 runs. */
  readonly sample: readonly BackTestRun[]
  /** One sentence. */
  readonly summary: string
  /** Why it says less than it could; empty: it says all. */
  readonly note: string
}

export interface BackTestRun {
  readonly at: string
  readonly eventId: string
  readonly assetId: string | null
  readonly assetName: string
}
