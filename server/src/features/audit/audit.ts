/** Audit: the log of who did what to which thing, from where; written once, chained by hashes, searchable. */
import type { Ctx } from '#platform/context.ts'
import { atomically, permit } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import * as store from './store.ts'

export interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly actor: {
    readonly kind: string
    readonly id: string
    /** As it was at the time: an address of a person, the name of a key. */
    readonly name: string | null
  }
  /** The client address; null for the product itself. */
  readonly address: string | null
  /** `noun.happened`, for example `api_key.revoked`. */
  readonly action: string
  readonly subject: Subject
  readonly details: Details
}

export interface Subject {
  readonly type: string
  /** Empty when one action was about many: then `subjects` in the details have the `id` and `name` of each. */
  readonly id: string
}

/**
 * What else a reader should know, a change as `before` and `after`; never a secret. `name` is how people called the
 * subject at the time, so that the entry can be read when the subject is gone.
 */
export type Details = Readonly<Record<string, unknown>>

/** All that is given must fit. */
export interface AuditSearch extends Page {
  readonly actorId?: string
  /** An action, or with a dot at its end all that begin so: `api_key.`. */
  readonly action?: string
  readonly subjectType?: string
  readonly subjectId?: string
  /** Stands somewhere in the entry, whatever its case. */
  readonly text?: string
  /** RFC 3339, inclusive. */
  readonly from?: string
  /** RFC 3339, exclusive. */
  readonly until?: string
}

/** A link of the chain, to be noted outside the installation: whatever comes before it can no more be changed unseen. */
export interface Anchor {
  readonly seq: number
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

export interface Verification {
  readonly entries: number
  /** The last link; undefined while nothing is written. */
  readonly head: Anchor | undefined
  /** What does not fit, at most the first hundred; empty when the log is as it was written. */
  readonly faults: readonly string[]
}

const TEXT_LENGTH_MAX = 200

/** Writes in the caller's transaction: the entry exists if and only if the deed does. */
export async function record(
  ctx: Ctx,
  action: string,
  subject: Subject,
  details: Details = {},
): Promise<void> {
  await atomically(ctx, (inner) => store.add(inner, { action, subject, details }))
}

/** For the details of a change: of two states of a thing the fields that differ. */
export function difference<T extends object>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const changed = (Object.keys(after) as (keyof T)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const of = (state: T) => Object.fromEntries(changed.map((field) => [field, state[field]])) as Partial<T>
  return { before: of(before), after: of(after) }
}

/** Newest first. */
export async function searchAudit(ctx: Ctx, search: AuditSearch): Promise<Listed<AuditEntry>> {
  permit(ctx, 'audit:read')
  for (const field of ['from', 'until'] as const)
    if (search[field] !== undefined && Number.isNaN(Date.parse(search[field])))
      throw invalid(field, 'must be an RFC 3339 timestamp')
  if ((search.text ?? '').length > TEXT_LENGTH_MAX)
    throw invalid('text', `must have at most ${TEXT_LENGTH_MAX} characters`)
  return store.search(ctx, search)
}

/**
 * Computes every link anew. With an anchor that was noted earlier it also tells whether the chain still goes through
 * it, which no rewriting of the whole database can feign.
 */
export async function verifyAudit(ctx: Ctx, anchor?: Anchor): Promise<Verification> {
  permit(ctx, 'audit:read')
  return ctx.db.transaction(async (db) => {
    const inner = { ...ctx, db }
    const faults = await store.faults(inner)
    const isPast = anchor === undefined || (await store.hasLink(inner, anchor))
    const missed = isPast ? [] : [`link ${anchor.seq}: is not the one that was noted`]
    return { ...(await store.extent(inner)), faults: [...faults, ...missed] }
  })
}
