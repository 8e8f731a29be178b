import type { TObject } from 'typebox'
import type { EventType } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'

/** What a step is done with. */
export interface StepScope {
  readonly runId: string
  /** `event`, `asset`, `steps`, `run`, `item`, `secrets`: what templates read. */
  readonly values: Readonly<Record<string, unknown>>
  /** The asset that the run is about; undefined when it is about none. */
  readonly assetId: string | undefined
  /** Of this step in this run: the same however often it is tried. */
  readonly idempotencyKey: string
}

/** See `ADVISORY_LOCK_CLASSES`. */
export type LockOfAction = 'identity' | 'findings'

interface ActionBase {
  readonly name: string
  /** For the editor: a short title. */
  readonly label: string
  /** For the editor: what it does, in one sentence. */
  readonly sentence: string
  /** Of its settings; `title` is the label of a field, `description` its help. */
  readonly settings: TObject
  /** Settings that may hold `{{places}}`. */
  readonly templates: readonly string[]
  /** Names of its output, which later steps read as `steps.NAME.…`. */
  readonly outputs: readonly string[]
  /** What the person with whose permissions the flow runs must be allowed. */
  readonly permission?: string
  readonly needsAsset?: true
  /** Events that come of it each time: a flow that one of them starts would start itself. */
  readonly emits?: readonly EventType[]
}

/** Changes what this server holds: done in the transaction that moves the run on, so it happens exactly once. */
export interface InnerAction extends ActionBase {
  readonly kind: 'inner'
  /** All locks of the tenant that `run` takes, also those that reactions to its events take; absent: none. */
  readonly locks?: readonly LockOfAction[]
  readonly run: (ctx: Ctx, settings: Settings, scope: StepScope) => Promise<unknown>
}

/** Speaks to somebody else: done between two transactions, so it may happen twice, with the same idempotency key. */
export interface OuterAction extends ActionBase {
  readonly kind: 'outer'
  readonly run: (ctx: Ctx, settings: Settings, scope: StepScope) => Promise<OuterResult>
  /** For a test run, which sends nothing. */
  readonly describe: (settings: Settings) => string
}

export type Settings = Readonly<Record<string, unknown>>

export type OuterResult =
  | { readonly outcome: 'done'; readonly output: unknown }
  | {
      readonly outcome: 'retry'
      readonly fault: string
      /** As the receiver asked for. */
      readonly afterSeconds?: number
      readonly retriesMax?: number
    }
  | { readonly outcome: 'failed'; readonly fault: string }

export type Action = InnerAction | OuterAction
