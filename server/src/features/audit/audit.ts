/** Audit: the append-only log of who changed what, from where; a hash chain, searchable. */
import type { Ctx } from '#platform/context.ts'
import { atomically, permit } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Listed } from '#platform/http/paging.ts'
import * as store from './store.ts'
import type { AuditEntry, Subject, Details, AuditSearch, Anchor, Verification } from './audit-entry.ts'

export { auditExtract, listCheckpoints, proofOf, signCheckpoint } from './proof/proofs.ts'
export { publishedKeys } from './proof/signing-key.ts'
export { canonicalJson, verifyProof, type Proof } from './proof/verify-proof.ts'

const TEXT_LENGTH_MAX = 200

/** Writes in the caller's transaction: the entry exists if and only if the change does. */
export async function record(
  ctx: Ctx,
  action: string,
  subject: Subject,
  details: Details = {},
): Promise<void> {
  await atomically(ctx, (inner) => store.add(inner, { action, subject, details }))
}

/** For the details of a change: the fields that differ between two states. */
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
 * Recomputes every hash. With an anchor noted earlier it also checks that the chain still contains it, which detects a
 * rewrite of the whole log.
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
