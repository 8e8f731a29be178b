import type { EventType } from '#features/events/events.ts'
import type { FieldType } from '#platform/conditions/field.ts'

/** What starts a flow. */
export const triggerKinds = ['event', 'schedule', 'manual', 'webhook', 'query'] as const
export type TriggerKind = (typeof triggerKinds)[number]

/** How a request of an inbound webhook proves who sent it, beside the token in its address. */
export const hookSignatures = ['none', 'rollcall', 'x-hub-signature-256'] as const
export type HookSignature = (typeof hookSignatures)[number]

/** Values that a person or a request gives, by name: conditions ask for them as `event.NAME`. */
export type InputFields = Readonly<Record<string, FieldType>>

/** Whether runs begin when a condition becomes true of an asset, or when it is true no longer. */
export const queryMoves = ['enter', 'leave'] as const

export type Trigger =
  | { readonly kind: 'event'; readonly eventTypes: readonly EventType[] }
  /** Five fields of cron, in an IANA time zone. */
  | { readonly kind: 'schedule'; readonly cron: string; readonly zone: string }
  | { readonly kind: 'manual'; readonly fields?: InputFields }
  | { readonly kind: 'webhook'; readonly signature: HookSignature; readonly fields?: InputFields }
  | QueryTrigger

export interface QueryTrigger {
  readonly kind: 'query'
  /** On assets. */
  readonly condition: string
  readonly on: (typeof queryMoves)[number]
  /** One run for each asset, or one for all that moved at the same time. */
  readonly per: 'asset' | 'batch'
}

/** One step: an action with its settings, or a way through the steps. */
export type Step = ActionStep | IfStep | ForEachStep | WaitStep | ApprovalStep | StopStep

export interface ActionStep {
  readonly action: string
  /** Under which name later steps read its output. */
  readonly name?: string
  readonly with: Readonly<Record<string, unknown>>
}
export interface IfStep {
  readonly action: 'if'
  readonly condition: string
  /** When the condition is true. */
  readonly steps: readonly Step[]
  /** When it is false or unknown. */
  readonly otherwise: readonly Step[]
}
export interface ForEachStep {
  readonly action: 'for_each'
  /** The path of a list, such as `event.asset_ids`. */
  readonly list: string
  /** For each item, which they read as `item`. Where it is the id of an asset, they are about that asset. */
  readonly steps: readonly Step[]
}
export interface WaitStep {
  readonly action: 'wait'
  readonly minutes: number
}
export interface ApprovalStep {
  readonly action: 'wait_for_approval'
  /** The name of the step that asked, by `request_approval`. */
  readonly request: string
  /** When it is refused or runs out; the run ends after them. */
  readonly otherwise: readonly Step[]
}
export interface StopStep {
  readonly action: 'stop'
}

/** How many runs of a flow may be under way at once: any number, one for each asset, or one. */
export const concurrencies = ['none', 'asset', 'flow'] as const
export type Concurrency = (typeof concurrencies)[number]

/** What a version of a flow says. */
export interface Definition {
  readonly trigger: Trigger
  /** In the condition language, over `event.*` and `asset.*`; empty: always. */
  readonly condition: string
  /** For so long the flow does not run again for the same asset; 0: it may at once. */
  readonly coolDownMinutes: number
  readonly runsPerMinute: number
  /** Absent in versions from before there was a choice: `none`. */
  readonly concurrency?: Concurrency
  readonly steps: readonly Step[]
}

export interface Flow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly enabled: boolean
  readonly pausedReason: string | null
  readonly triggerKind: TriggerKind
  readonly publishedVersion: number | null
  /** Of the published version; before there is one, of the draft. */
  readonly definition: Definition
  readonly lastTriggeredAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export const versionStates = ['draft', 'published', 'retired'] as const

export interface FlowVersion {
  readonly flowId: string
  readonly n: number
  readonly state: (typeof versionStates)[number]
  readonly definition: Definition
  /** The person with whose permissions its steps run; null: the owner of the machine. */
  readonly runAs: string | null
  readonly publishedAt: string | null
  readonly createdAt: string
}
