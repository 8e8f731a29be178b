import type { EventType } from '#features/events/events.ts'

/** What starts a flow. */
export const triggerKinds = ['event', 'schedule', 'manual'] as const
export type TriggerKind = (typeof triggerKinds)[number]

export type Trigger =
  | { readonly kind: 'event'; readonly eventTypes: readonly EventType[] }
  /** Five fields of cron, in an IANA time zone. */
  | { readonly kind: 'schedule'; readonly cron: string; readonly zone: string }
  | { readonly kind: 'manual' }

/** One step: an action with its settings, or a way through the steps (`if`, `wait`, `stop`). */
export type Step = ActionStep | IfStep | WaitStep | StopStep

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
export interface WaitStep {
  readonly action: 'wait'
  readonly minutes: number
}
export interface StopStep {
  readonly action: 'stop'
}

/** What a version of a flow says. */
export interface Definition {
  readonly trigger: Trigger
  /** In the condition language, over `event.*`; empty: always. */
  readonly condition: string
  /** For so long the flow does not run again for the same asset; 0: it may at once. */
  readonly coolDownMinutes: number
  readonly runsPerMinute: number
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
