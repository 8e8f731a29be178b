import type { StoredCondition, Subject } from './conditions/subject.ts'
import type { Db } from './database/database.ts'
import { DatabaseUnavailable } from './database/unavailable-errors.ts'
import type { Replica } from './database/replica/replica.ts'
import { forbidden } from './errors.ts'
import type { Log } from './observability/log.ts'
import type { Trace } from './observability/trace.ts'
import type { Mailer } from './egress/mailer.ts'
import type { Metadata } from './egress/metadata.ts'
import type { Net } from './egress/net.ts'
import type { Seal } from './secrets/seal.ts'

/** The first argument of every verb: actor, tenant, and the ports through which the verb may act. */
export interface Ctx {
  readonly tenantId: string
  readonly actor: Actor
  readonly db: Db
  /** Reads that may be some seconds old; absent where the operator has set no replica, and in what is read there. */
  readonly replica?: Pick<Replica, 'reading' | 'noteWrite'>
  /** Of an answer: it is told of which moment the data is that a replica gave. */
  readonly noteDataAsOf?: (at: string) => void
  /** The same object in all contexts of one open runtime: by it, what its engines offer in this process is found. */
  readonly runtime: object
  readonly net: Net
  /** Absent unless the operator has set CLOUD_METADATA. */
  readonly metadata?: Metadata
  /** Absent where the operator has set no SMTP_URL. */
  readonly mailer?: Mailer
  /** Where people reach the app, without a slash at the end: for links in what leaves it. */
  readonly publicUrl: string
  /** The number of this installation among others; absent: it is the only one. */
  readonly cell?: number | undefined
  /** Fonts of the operator, for scripts that those of the product lack; absent: none. */
  readonly fontsFolder?: string
  readonly seal: Seal
  /** With the key of the installation, over a connection of its own: not inside a transaction. */
  readonly sign: (bytes: Buffer) => Promise<Signed>
  /** A signed token by which the installation tells others for whom it calls; not inside a transaction, as `sign`. */
  readonly issueToken: (claims: Claims) => Promise<string>
  readonly log: Log
  readonly now: () => Date
  /** Subscribers to domain events, called inside the transaction of the change. Wired by `app.ts`. */
  readonly reactions: Reactions
  /** The types of events that some feature of this installation emits. */
  readonly emittedEvents: ReadonlySet<string>
  readonly limits: Limits
  /** The automation that this follows from, however many jobs ago; absent: none. */
  readonly cause?: Cause
  /** The span that the actor works in, where the operator has work traced. */
  readonly trace?: Trace
  /** Present while a verb is only tried, in a transaction that is undone (`dryRun`). */
  readonly trial?: Trial
  /** What conditions may ask about, put together from what features say of it. Wired by `app.ts`. */
  readonly conditions: Conditions
}

export interface Signed {
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer
  readonly signature: Buffer
}

/** `sub` and `aud` of RFC 7519; the rest is the issuer's. */
export interface Claims {
  readonly sub: string
  readonly aud: string
}

export interface Conditions {
  /** The context of an actor who sees only assets for which the condition is true; nothing, if it cannot be read. */
  readonly limit: (ctx: Ctx, condition: string) => Ctx
  /** For what the actor may read, with what the tenant adds. Throws for a kind of subject that no feature has. */
  readonly on: (ctx: Ctx, subject: string) => Promise<Subject>
  /** The names of all subjects, with who may ask about each. */
  readonly subjects: Readonly<Record<string, string>>
  /** All that features store for the tenant. */
  readonly stored: (ctx: Ctx) => Promise<readonly StoredCondition[]>
}

/** What a verb noted of itself while it was only tried. */
export interface Trial {
  /** What the features of the change write of it, in their own forms. */
  readonly noted: object[]
  /** Only a part of what it is about was looked at. */
  isPartial: boolean
}

/** A run of a flow, and the flows that led to it. */
export interface Cause {
  readonly runId: string
  /** The first one first; the run's own flow last. */
  readonly flowIds: readonly string[]
}

/** What the operator allows each tenant. */
export interface Limits {
  /** Endpoints that receive events. */
  readonly endpoints: number
}

export interface Actor {
  readonly kind: 'user' | 'api_key' | 'partner_key' | 'system'
  readonly id: string
  /** Permissions are `noun:read|write`. An API key's scope was checked by its endpoint; a key has every permission. */
  readonly may: (permission: string) => boolean
  /** For people who read who it was: a person's address. */
  readonly name?: string
  /** From where: the client address. */
  readonly address?: string
  /** A condition: of the assets of the tenant, only those for which it is true are there for the actor. */
  readonly limitedTo?: string
  /** Of a key that reaches one thing of its tenant alone: the id of that thing, and the scopes of the key. */
  readonly confined?: { readonly to: string; readonly scopes: readonly string[] }
}

/** Something that happened, as subscribers see it. `body` is the exact JSON that is stored and sent. */
export interface Happening {
  readonly eventId: string
  readonly type: string
  readonly body: Buffer
  readonly occurredAt: Date
  /**
   * What the event tells of its asset before the change, by the names of fields of conditions. No part of what receivers
   * get.
   */
  readonly before?: Readonly<Record<string, unknown>>
  /** Who has subscribed to events of this type in the tenant; absent for what is not stored. */
  readonly subscribers?: readonly string[]
}

/** What is known of an event before it is stored. */
export type NewHappening = Omit<Happening, 'occurredAt' | 'subscribers'>

export interface Reactions {
  readonly to: (ctx: Ctx, happenings: readonly Happening[]) => Promise<void>
  /** Those that need not wait until the events are stored; for events alone, in their transaction. */
  readonly beside?: (ctx: Ctx, happenings: readonly NewHappening[]) => Promise<void>
}

/** Runs `work` in one transaction; inside another `atomically` it joins the one already open. */
export function atomically<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((db) => work({ ...ctx, db }))
}

/** PostgreSQL, Appendix A: deadlock_detected. */
const DEADLOCK = '40P01'

/**
 * As `atomically`, and once more where PostgreSQL undid the transaction to end a deadlock. What `work` changes besides the
 * database may be changed twice. Inside another transaction it is not repeated: that one is undone as a whole.
 */
export async function atomicallyDespiteDeadlock<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  try {
    return await atomically(ctx, work)
  } catch (error) {
    const isOutermost = ctx.db.atEnd === undefined
    if (!isOutermost || (error as { code?: unknown } | null)?.code !== DEADLOCK) throw error
    return atomically(ctx, work)
  }
}

/**
 * Does `work` on one state of the database, whatever others commit meanwhile, and holds nobody up. It cannot write. Not
 * inside another transaction.
 */
export function onOneState<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((db) => work({ ...ctx, db }), 'one state')
}

/**
 * Reads at a replica, where there is one: what may be some seconds old, but not older than what the actor wrote. `work` does
 * nothing but read; it is done again at the primary when the replica cancels it or goes away.
 */
export async function fromReplica<T>(ctx: Ctx, work: (ctx: Ctx, asOf?: Date) => Promise<T>): Promise<T> {
  const { replica, ...here } = ctx
  // in a transaction, its own changes are to be seen
  const reading = ctx.db.atEnd ? undefined : await replica?.reading(ctx.tenantId, ctx.actor.id)
  if (reading) {
    try {
      const there = actingAs({ ...here, db: reading.db }, ctx.actor)
      const found = await work(there, new Date(reading.asOf))
      ctx.noteDataAsOf?.(reading.asOf)
      return found
    } catch (error) {
      if (!isOfReplica(error)) throw error
    }
  }
  if (replica) ctx.noteDataAsOf?.(ctx.now().toISOString())
  return work(ctx)
}

/** The query was in the way of what the primary had done (PostgreSQL: `canceling statement due to conflict with recovery`). */
const CANCELED_BY_RECOVERY = '40001'

const isOfReplica = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || (error as { code?: unknown }).code === CANCELED_BY_RECOVERY

/**
 * Does `work` in a transaction that is always undone, and answers its result: what a change would do. Nothing that it
 * emits or enqueues happens. Not inside another transaction. What would have begun as a job has to be done by the verb
 * itself, which finds `ctx.trial`.
 */
export async function dryRun<T>(
  ctx: Ctx,
  work: (ctx: Ctx & { readonly trial: Trial }) => Promise<T>,
): Promise<T> {
  try {
    return await atomically(ctx, async (inner) => {
      throw new Undone(await work({ ...inner, trial: { noted: [], isPartial: false } }))
    })
  } catch (error) {
    if (error instanceof Undone) return error.result as T
    throw error
  }
}

/** Carries a result out of a transaction that must not be committed. */
class Undone extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('undone on purpose')
    this.result = result
  }
}

/** Throws `forbidden` when the actor lacks the permission. The first line of every verb that changes something. */
export function permit(ctx: Ctx, permission: string): void {
  if (!ctx.actor.may(permission)) throw forbidden(`permission required: ${permission}`)
}

/** Whether the actor sees only some of the tenant's assets. */
export const isLimited = ({ db }: Ctx): boolean => db.whole !== undefined

/** What an actor who may see the things in question may do with them is done without the limit. */
export const beyondLimit = (ctx: Ctx): Ctx => (ctx.db.whole ? { ...ctx, db: ctx.db.whole } : ctx)

/** The context in which the actor is at work, within the actor's limit. `ctx` is without a limit. */
export const actingAs = (ctx: Ctx, actor: Actor): Ctx =>
  actor.limitedTo === undefined ? { ...ctx, actor } : ctx.conditions.limit({ ...ctx, actor }, actor.limitedTo)

/** The product itself at work: jobs, the scheduler, the command line of the machine's owner. */
export const systemActor = (id: string): Actor => ({ kind: 'system', id, may: () => true })
