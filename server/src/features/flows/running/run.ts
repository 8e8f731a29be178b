import { isUuid } from '#platform/uuid.ts'

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
  /** Empty: the flow is no more. */
  readonly flowName: string
  readonly version: number
  readonly status: RunStatus
  /** An event type, `schedule`, `manual`, `webhook` or `query`. */
  readonly cause: string
  readonly assetId: string | null
  /** Empty: about none, or it is gone. */
  readonly assetName: string
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Why it failed, or which guard skipped it. */
  readonly reason: string | null
  /** The run of which this one is a repetition, from one of its steps on. */
  readonly rerunOf: string | null
  /** The run of a flow whose steps led to this one; null: none did. */
  readonly causedBy: RunCause | null
}

export interface RunCause {
  readonly runId: string
  readonly flowId: string
  /** Empty: the flow is no more. */
  readonly flowName: string
  /** How many flows led here, one after the other. */
  readonly depth: number
}

export interface RunStep {
  readonly n: number
  readonly path: string
  /** For which item of `for_each`, such as 3 or 3.1; empty outside of one. */
  readonly item: string
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
  /** What the event tells of its asset before the change; see `Happening.before`. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly steps: Readonly<Record<string, unknown>>
  /** The loops that the cursor stands in, the outermost first. */
  readonly loops?: readonly Loop[]
}

export interface Loop {
  /** Of its instruction in the program. */
  readonly at: number
  readonly index: number
  /** The list as it was when the loop began. */
  readonly items: readonly unknown[]
}

const CONTEXT_CHARACTERS_MAX = 256 * 1_024

/**
 * The guard that a run meets whose memory is full; undefined: none. The lists that loops go through are counted by
 * themselves, since each is a copy of what an event or a step gave.
 */
export function tooLarge({ loops = [], ...known }: RunContext): string | undefined {
  const isFull = [known, loops].some((it) => JSON.stringify(it).length > CONTEXT_CHARACTERS_MAX)
  return isFull
    ? `context: what the run knows is larger than ${CONTEXT_CHARACTERS_MAX / 1_024} KiB`
    : undefined
}

export const currentItem = ({ loops = [] }: RunContext): unknown => {
  const loop = loops.at(-1)
  return loop?.items[loop.index]
}

/** For which items of its loops the run is at the cursor, such as 3 or 3.1; empty outside of one. */
export const itemKey = ({ loops = [] }: RunContext): string => loops.map(({ index }) => index).join('.')

/** The asset that the steps at the cursor are about: that of the innermost item that names one, else the run's. */
export function assetIdOf({ assetId, context }: Pick<ClaimedRun, 'assetId' | 'context'>): string | null {
  for (const { items, index } of (context.loops ?? []).toReversed()) {
    const item = items[index]
    const id = typeof item === 'object' && item !== null ? (item as { asset_id?: unknown }).asset_id : item
    if (typeof id === 'string' && isUuid(id)) return id
  }
  return assetId
}

/** A run that this worker has claimed. */
export interface ClaimedRun extends FlowRun {
  readonly chain: readonly string[]
  readonly context: RunContext
  readonly cursor: number
  readonly tries: number
  readonly claim: number
  /** Entries of its log. */
  readonly stepsDone: number
  /** Of its program, those inside of loops each time. */
  readonly instructionsDone: number
  /** How long workers have had it, without the time that it waited. */
  readonly runningMs: number
  /** Why the tenant's flows are stopped; null: they are not. */
  readonly stopReason: string | null
}
