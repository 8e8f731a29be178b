import type { CloudProvider } from './cloud-resource.ts'
import type { Values } from './connectors/connector.ts'

/** An account, organisation or directory at a provider. Its secret is written and never read again. */
export interface CloudConnection {
  readonly id: string
  readonly provider: CloudProvider
  readonly name: string
  readonly signIn: string
  readonly settings: Values
  readonly isEnabled: boolean
  /** Why its accounts could not be listed when that was last tried; empty when they could. */
  readonly problem: string
  /** When its accounts were last listed to the end. */
  readonly plannedAt: string | null
  readonly nextPlanAt: string
  readonly createdAt: string
}

export const scopeStatuses = ['pending', 'running', 'complete', 'partial', 'failed'] as const
export type ScopeStatus = (typeof scopeStatuses)[number]
