import type { CloudProvider, ResourceType } from './cloud-resource.ts'
import type { Values } from './connectors/connector.ts'

/** An account, organisation or directory at a provider. Its secret is written and never read again. */
export interface CloudConnection {
  readonly id: string
  readonly provider: CloudProvider
  readonly name: string
  readonly signIn: string
  readonly settings: Values
  readonly isEnabled: boolean
  /** Costs are asked for once a day. */
  readonly readsCosts: boolean
  /** Why its accounts could not be listed when that was last tried; empty when they could. */
  readonly problem: string
  /** When its accounts were last listed to the end. */
  readonly plannedAt: string | null
  readonly nextPlanAt: string
  readonly createdAt: string
  /** That it sees and that are not gone; another connection may see them too. */
  readonly resources: number
  readonly scopes: number
  /** Of the scopes, those whose latest run was complete. */
  readonly completeScopes: number
  /** Of the scopes, those that wait for a worker or are being read. */
  readonly pendingScopes: number
}

export const scopeStatuses = ['pending', 'running', 'complete', 'partial', 'failed'] as const
export type ScopeStatus = (typeof scopeStatuses)[number]

/** What is known of one scope, for people. */
export interface ScopeCoverage {
  readonly id: string
  readonly account: string
  readonly accountName: string
  readonly region: string
  readonly type: ResourceType
  readonly status: ScopeStatus
  readonly reason: string
  /** Those that the last reading saw; while it is not complete, those that are not gone. */
  readonly resources: number
  readonly finishedAt: string | null
  /** Null: never read to the end. */
  readonly completedAt: string | null
  readonly retiredAt: string | null
}
