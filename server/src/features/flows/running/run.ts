export const runStatuses = [
  'new',
  'pending',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const
export type RunStatus = (typeof runStatuses)[number]

/** One execution of a version of a flow. */
export interface FlowRun {
  readonly id: string
  readonly flowId: string
  readonly version: number
  readonly status: RunStatus
  /** An event type, `schedule` or `manual`. */
  readonly cause: string
  readonly assetId: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Why it failed, or which guard skipped it. */
  readonly reason: string | null
}

export interface RunStep {
  readonly n: number
  readonly path: string
  readonly action: string
  readonly status: 'done' | 'failed' | 'retrying'
  readonly startedAt: string
  readonly ms: number
  readonly input: unknown
  readonly output: unknown
  readonly fault: string | null
}

/** What a run knows, beside its place in the program. */
export interface RunContext {
  readonly event: Readonly<Record<string, unknown>>
  readonly steps: Readonly<Record<string, unknown>>
}

/** A run that this worker has claimed. */
export interface ClaimedRun extends FlowRun {
  readonly chain: readonly string[]
  readonly context: RunContext
  readonly cursor: number
  readonly tries: number
  readonly claim: number
}
