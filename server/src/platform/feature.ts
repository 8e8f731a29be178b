import type { Command } from './cli/command.ts'
import type { ConditionPart, StoredCondition } from './conditions/subject.ts'
import type { Claims, Ctx, Happening, NewHappening, Signed } from './context.ts'
import type { Database } from './database/database.ts'
import type { DeprecatedUse } from './http/deprecation/deprecated-use.ts'
import type { FileRoute } from './http/uploads.ts'
import type { GraphqlDoor } from './graphql/schema.ts'
import type { PeriodicJob, Worker } from './jobs/job.ts'
import type { ProtocolRoute } from './protocols/protocol-routes.ts'
import type { LiveTopic } from './http/server-sent-events.ts'
import type { SealedColumn } from './secrets/reseal.ts'
import type { Route } from './http/route.ts'
import type { SessionRoute } from './http/session-routes.ts'
import type { LimitedTable } from './database/limited-db.ts'
import type { Tables } from './database/tables.ts'

/** Called inside the transaction of the change; a throw undoes the change. */
export type Subscriber = (ctx: Ctx, happenings: readonly Happening[]) => Promise<void>

/** Everything a feature registers with the server. `app.ts` lists them in order; a feature may call only those above it. */
export interface Feature {
  /** The folder's name. */
  readonly name: string
  /** The tables that this feature's store alone writes, and of which kind each is. */
  readonly tables: Tables
  readonly rest?: readonly Route[]
  /** For people who are about to sign in, or have. */
  readonly session?: readonly SessionRoute[]
  /** Adds the feature's types, queries and mutations. */
  readonly graphql?: GraphqlDoor
  /** What people bring and fetch in the app. */
  readonly files?: readonly FileRoute[]
  /** What people watch while it changes. */
  readonly live?: readonly LiveTopic[]
  /** What programs that we did not write send in protocols of their own. */
  readonly protocols?: readonly ProtocolRoute[]
  /** The same at paths that are those of our API: served at a port of their own. */
  readonly protocolsApart?: readonly ProtocolRoute[]
  readonly jobs?: readonly Worker[]
  readonly every?: readonly PeriodicJob[]
  readonly commands?: readonly Command[]
  /** The types of events that this feature emits. */
  readonly emits?: readonly string[]
  /** By type of event or notice (`assets.archived`), or `*` for all events. */
  readonly on?: Readonly<Record<string, Subscriber>>
  /** For all events; its statements are sent with the one that stores them, whose answer it does not wait for. */
  readonly besideEvents?: (ctx: Ctx, happenings: readonly NewHappening[]) => Promise<void>
  /** A loop of its own that a worker process runs beside the job queue, until the signal aborts. */
  readonly engine?: Engine
  readonly gauges?: readonly CountedGauge[]
  /** What conditions may ask about things of the tenant; asks the database nothing itself. */
  readonly conditions?: (ctx: Ctx) => readonly ConditionPart[]
  /** Those whose rows it gives, with who may ask about them: their lists have conditions, facets and saved views. */
  readonly subjects?: Readonly<Record<string, string>>
  /** What the tenant itself adds to that, read from the database; without rows of a subject. */
  readonly tenantConditions?: (ctx: Ctx) => Promise<readonly ConditionPart[]>
  /** The conditions that it stores for the tenant. */
  readonly storedConditions?: (ctx: Ctx) => Promise<readonly StoredCondition[]>
  /** How its tables look to actors who are limited to some assets; those that are not named are closed to them. */
  readonly limitedTables?: (ctx: Ctx) => Readonly<Record<string, LimitedTable>>
  /** Called after the answers of deprecated endpoints to requests with a key. */
  readonly onDeprecatedUse?: (ctx: Ctx, use: DeprecatedUse) => Promise<void>
  /** What is sealed with SECRET_KEY, to be sealed anew when the key is changed. */
  readonly sealed?: readonly SealedColumn[]
  /** Whether something is under way for the tenant that has begun outside of it, such as a request to a receiver. */
  readonly isBusy?: (ctx: Ctx) => Promise<boolean>
  /** Signs for all tenants (`ctx.sign`); at most one feature does. */
  readonly sign?: (system: Ctx, bytes: Buffer) => Promise<Signed>
  /** Issues tokens for all tenants (`ctx.issueToken`); at most one feature does. */
  readonly issueToken?: (system: Ctx, claims: Claims) => Promise<string>
}

/** A number that the database knows, counted when Prometheus asks; with a label, one for each of its few values. */
export interface CountedGauge {
  /** `rollcall_feature_things` */
  readonly name: string
  readonly help: string
  readonly label?: string
  readonly count: (system: Ctx) => Promise<number | Readonly<Record<string, number>>>
}

export interface Engine {
  readonly name: string
  readonly start: (context: EngineContext) => RunningEngine
}
/** Passed to an engine at its start. `contextFor` makes a context for any tenant; the engine reads across tenants through `ctx.db` of `system`. */
export interface EngineContext {
  /** For wake-ups after commits, and for a session of its own. */
  readonly database: Database
  readonly system: Ctx
  readonly contextFor: (tenantId: string) => Ctx
}
export interface RunningEngine {
  /** Finishes running work and releases its leases. */
  readonly stop: () => Promise<void>
}
