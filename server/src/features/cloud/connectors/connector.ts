import type { Metadata } from '#platform/egress/metadata.ts'
import type { Net } from '#platform/egress/net.ts'
import type { CloudProvider, ScopeKey, SeenResource } from '../cloud-resource.ts'
import type { CostPage, CostPeriod } from '../costs/cost.ts'

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
  /** The provider fetches the keys of our issuer from this server. */
  readonly fetchesKeys?: true
  /** As the machine on which the server runs: offered where the operator allows that. */
  readonly isOfHost?: true
  /** Fields of the provider that mean nothing for it. */
  readonly hides?: readonly string[]
}

/** What belongs to a connection that is about to be made. */
export interface Proposed {
  readonly connectionId: string
  /** What the trust policies of AWS roles ask for. */
  readonly externalId: string
  /** Who signs its identity tokens, and whom they name. */
  readonly issuer: string
  readonly subject: string
}

/** A step at the provider: a document or commands, to be pasted. Words in capitals are replaced by hand. */
export interface Instruction {
  readonly title: string
  readonly text: string
}

/** One provider: how it is signed in to, what there is to read, and reading it. Knows neither tenant nor database. */
export interface Connector {
  readonly provider: CloudProvider
  readonly signIns: readonly SignIn[]
  /** Fields that are the same for every way of signing in. */
  readonly fields: readonly Field[]
  /** What is done at the provider before a connection is made, by the name of its way of signing in. */
  readonly instructions: (signIn: string, proposed: Proposed) => readonly Instruction[]
  /** Throws a Refusal that names the field when a value does not fit. */
  readonly check: (values: Values, signIn: string) => void
  /** Lists accounts and what there is to read in each. Throws a CloudFault when that fails as a whole. */
  readonly plan: (session: Session) => Promise<Plan>
  /**
   * Reads the scopes of one reading, page by page. A scope that cannot be read is told of within a page; what concerns
   * all of them is thrown as a CloudFault.
   */
  readonly read: (session: Session, reading: Reading) => AsyncIterable<ResourcePage>
  /** Absent: it tells none. */
  readonly costs?: CostReader
}

/** How a provider tells what its resources cost. */
export interface CostReader {
  /** What has to be set up, and what asking costs; shown before it is switched on. */
  readonly note: string
  /** Lines are of single days, or of whole months. */
  readonly by: 'day' | 'month'
  /** One call tells of all accounts. */
  readonly isOneForAll?: true
  /** Lines without a resource are the sum of the account. */
  readonly tellsTotals?: true
  /** The setting without which there is nothing to ask: the table that holds the costs. */
  readonly needs?: string
  /** Why this can be no such table; undefined: nothing speaks against it. */
  readonly tableFault?: (table: string) => string | undefined
  /** Throws a CloudFault when the costs are not told. */
  readonly read: (
    session: Session,
    accounts: readonly string[],
    period: CostPeriod,
  ) => AsyncIterable<CostPage>
}

export interface Session {
  /** The name of its way of signing in. */
  readonly signIn: string
  readonly settings: Values
  readonly secrets: Values
  readonly net: Pick<Net, 'fetch'>
  /** Of the host on which the server runs, where the operator allows to ask it. */
  readonly metadata: Metadata | undefined
  readonly now: () => Date
  readonly signal: AbortSignal
  /** Waits until a call of this bucket may be made, and learns what came of it. */
  readonly rates: CallRates
  /** Made by Rollcall for each connection: a role that asks for it cannot be used by another one. */
  readonly externalId: string
  /**
   * A token of our own issuer for the provider, by which a connection signs in without a secret. Its subject is the
   * connection, unless another one is given.
   */
  readonly identityToken: (audience: string, subject?: string) => Promise<string>
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
  /** For one call. */
  readonly callMs: number
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
  /** A role there lets in whoever names it. */
  readonly isOpen?: boolean
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
