import { withCondition } from '#platform/conditions/with-condition.ts'
import { beyondLimit, isLimited, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { asksForStatus } from '../findings/groups.ts'
import * as statusStore from '../findings/finding-status-store.ts'
import { recomputeFindings } from '../findings/sync-findings.ts'
import * as store from './bulk-override-store.ts'
import * as overrideStore from './override-store.ts'

/** Decisions about many findings: each gets an override of its own. Called in the caller's transaction. */

const REASON_LENGTH_MAX = 2_000

/** Ids of the findings for which the condition holds, as `listFindings` finds them, in the order of ids. */
export async function matchingFindingIds(
  ctx: Ctx,
  where: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<string[]> {
  permit(ctx, 'vulnerabilities:read')
  return withCondition(ctx, { subject: 'finding', text: where }, (inner, filter) =>
    store.idsAfter(inner, filter, { status: asksForStatus(filter) ? undefined : 'open', after, limit }),
  )
}

/** Those of the ids that are findings which the actor sees. */
export const visibleFindingIds = (ctx: Ctx, ids: readonly string[]): Promise<string[]> =>
  store.existing(ctx, ids)

/** The context for a change of the findings, without the actor's limit. Throws 404 unless the actor sees all of them. */
export async function toChangeFindings(ctx: Ctx, ids: readonly string[]): Promise<Ctx> {
  if (isLimited(ctx) && (await store.existing(ctx, ids)).length < new Set(ids).size)
    throw notFound('vulnerability')
  return beyondLimit(ctx)
}

/** What is kept of a finding that was changed: the ids of the overrides that were made or ended. */
export interface ChangedOverrides {
  readonly overrideIds: readonly string[]
}

/** Throws 400 for a reason or a time that an override cannot have. */
export function checkDecision(
  ctx: Ctx,
  {
    reason = '',
    expiresAt,
  }: { readonly reason?: string | undefined; readonly expiresAt?: string | undefined },
): void {
  if (reason.trim() === '' || reason.length > REASON_LENGTH_MAX)
    throw invalid('reason', `must have 1 to ${REASON_LENGTH_MAX} characters`)
  if (expiresAt !== undefined && !(Date.parse(expiresAt) > ctx.now().getTime()))
    throw invalid('expiresAt', 'must lie in the future')
}

/** Open findings alone; proposed only, where the tenant wants a second person's approval. */
export async function overrideFindings(
  ctx: Ctx,
  ids: readonly string[],
  { kind, reason, expiresAt }: Omit<store.AddedOverrides, 'state'>,
): Promise<Map<string, ChangedOverrides>> {
  await statusStore.lockFindings(ctx)
  const state = (await overrideStore.needsApproval(ctx)) ? 'proposed' : 'active'
  const added = await store.add(ctx, ids, { kind, reason: reason.trim(), expiresAt, state })
  return recomputed(ctx, added, 'an override')
}

/** Ends the overrides in force that are about one of the findings alone; wider ones stay. */
export async function reopenFindings(
  ctx: Ctx,
  ids: readonly string[],
  because: string,
): Promise<Map<string, ChangedOverrides>> {
  await statusStore.lockFindings(ctx)
  return recomputed(ctx, await store.endOfFindings(ctx, ids, because), `the override ended: ${because}`)
}

/** Takes back what `overrideFindings` did. */
export async function endOverrides(ctx: Ctx, ids: readonly string[]): Promise<Map<string, ChangedOverrides>> {
  await statusStore.lockFindings(ctx)
  return recomputed(ctx, await store.end(ctx, ids, 'undone'), 'the override ended: undone')
}

/** Takes back what `reopenFindings` did. */
export async function resumeOverrides(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, ChangedOverrides>> {
  await statusStore.lockFindings(ctx)
  return recomputed(ctx, await store.resume(ctx, ids), 'an override')
}

async function recomputed(
  ctx: Ctx,
  overrides: readonly store.FindingOverride[],
  why: string,
): Promise<Map<string, ChangedOverrides>> {
  const byFinding = Map.groupBy(overrides, ({ findingId }) => findingId)
  await recomputeFindings(ctx, [...byFinding.keys()], why)
  return new Map([...byFinding].map(([id, of]) => [id, { overrideIds: of.map((it) => it.id) }]))
}
