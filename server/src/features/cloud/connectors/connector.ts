import type { Net } from '#platform/egress/net.ts'
import type { CloudProvider, ScopeKey, SeenResource } from '../cloud-resource.ts'

/** Settings and secrets as people give them, by the names of fields. */
export type Values = Readonly<Record<string, string>>

export interface Field {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly isSecret?: true
  readonly isRequired?: true
  readonly isLong?: true
}

/** A way to sign in. Those without a lasting secret come first. */
export interface SignIn {
  readonly name: string
  readonly label: string
  readonly fields: readonly Field[]
}

/** One provider: how it is signed in to, what there is to read, and reading it. Knows neither tenant nor database. */
export interface Connector {
  readonly provider: CloudProvider
  readonly signIns: readonly SignIn[]
  /** Fields that are the same for every way of signing in. */
  readonly fields: readonly Field[]
  /** Throws a Refusal that names the field when a value does not fit. */
  readonly check: (settings: Values) => void
  /** Lists accounts and what there is to read in each. Throws a CloudFault when that fails as a whole. */
  readonly plan: (session: Session) => Promise<Plan>
  /**
   * Reads the scopes of one reading, page by page. A scope that cannot be read is told of within a page; what concerns
   * all of them is thrown as a CloudFault.
   */
  readonly read: (session: Session, reading: Reading) => AsyncIterable<ResourcePage>
}

export interface Session {
  readonly settings: Values
  readonly secrets: Values
  readonly net: Pick<Net, 'fetch'>
  readonly now: () => Date
  readonly signal: AbortSignal
  /** Waits until a call of this bucket may be made, and learns what came of it. */
  readonly rates: CallRates
  /** Made by Rollcall for each tenant: a role that asks for it cannot be used for another one. */
  readonly externalId: string
  readonly pace: Pace
}

export interface CallRates {
  readonly take: (bucket: string) => Promise<void>
  readonly throttled: (bucket: string) => Promise<void>
}

/** How patiently failed calls are repeated. */
export interface Pace {
  /** The first wait, doubled each time, of which a random part is waited. */
  readonly baseMs: number
  readonly waitMaxMs: number
  /** How often a throttled call is made in all. */
  readonly throttledTries: number
  /** How often a call is made that fails for other reasons. */
  readonly failedTries: number
  /** For one reading as a whole. */
  readonly deadlineMs: number
  /** Calls a second of one bucket: to begin with, at least and at most. */
  readonly callRate: { readonly start: number; readonly min: number; readonly max: number }
}

export interface Plan {
  readonly readings: readonly Reading[]
  /** Accounts that are named and could not be looked into, and why. */
  readonly failures: readonly AccountFailure[]
}

export interface AccountFailure {
  readonly account: string
  readonly accountName?: string
  readonly reason: string
}

/** Scopes that the provider answers for with one list. */
export interface Reading {
  /** Stable over plans; at most 255 characters. */
  readonly key: string
  readonly scopes: readonly PlannedScope[]
}

export interface PlannedScope extends ScopeKey {
  readonly accountName?: string
}

export interface ResourcePage {
  readonly resources: readonly SeenResource[]
  /** Scopes of which not everything can be read, and why. */
  readonly shortfalls?: readonly Shortfall[]
}

export interface Shortfall {
  readonly scope: ScopeKey
  readonly status: 'partial' | 'failed'
  readonly reason: string
}
