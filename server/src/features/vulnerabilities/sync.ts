import { setRiskScores } from '#features/assets/assets.ts'
import { emit } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { newUuid } from '#platform/uuid.ts'
import * as attributionStore from './attribution-store.ts'
import type { Shift, WrittenShift } from './attribution-store.ts'
import * as dueStore from './due-store.ts'
import { inBatches } from './in-batches.ts'
import * as riskStore from './risk-store.ts'
import * as settleStore from './settle-store.ts'
import type { Settled } from './settle-store.ts'

/** Brings findings, counts, events and scores in line with what matches. Everything here joins the caller's transaction. */

const EVENTS_AT_ONCE = 1_000

/** Of these assets, whether they still are any or not. */
export async function syncAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await settleStore.lockTenant(ctx)
  const gone = await dueStore.goneAmong(ctx, assetIds)
  await bury(ctx, gone)
  const ids = new Set(gone.map(({ id }) => id))
  const living = assetIds.filter((id) => !ids.has(id))
  const shifts = await attributionStore.shifts(ctx, living)
  if (shifts.length === 0) return
  const written = await withFindings(ctx, shifts)
  await attributionStore.writeShifts(ctx, written)
  const began = written.filter(({ happens }) => happens === 'begins').map(({ findingId }) => findingId)
  const ended = new Map(
    written.flatMap(({ findingId, because }) => (because === null ? [] : [[findingId, because]])),
  )
  for (const id of began) ended.delete(id)
  const settled = await settleAll(ctx, [...new Set(began)], 'found')
  for (const [why, ids] of Map.groupBy(ended.keys(), (id) => ended.get(id) ?? ''))
    settled.push(...(await settleAll(ctx, ids, why)))
  await follow(ctx, settled)
}

/** Settles findings and everything that depends on them. */
export async function resettle(ctx: Ctx, findingIds: readonly string[], why: string): Promise<Settled[]> {
  const settled = await settleAll(ctx, findingIds, why)
  await follow(ctx, settled)
  return settled
}

const SETTLED_AT_ONCE = 5_000

async function settleAll(ctx: Ctx, ids: readonly string[], why: string): Promise<Settled[]> {
  const settled: Settled[] = []
  await inBatches(ids, SETTLED_AT_ONCE, async (part) =>
    settled.push(...(await settleStore.settle(ctx, part, why))),
  )
  return settled
}

async function follow(ctx: Ctx, settled: readonly Settled[]): Promise<void> {
  await announce(ctx, settled)
  await rescoreAssets(ctx, [...new Set(settled.map(({ assetId }) => assetId))])
}

/** Only what is new: a finding that comes back was told, and one that was decided about beforehand needs nobody. */
async function announce(ctx: Ctx, settled: readonly Settled[]): Promise<void> {
  const news = settled.filter(({ isNew, status }) => isNew && status === 'open')
  const foundAt = ctx.now().toISOString()
  await inBatches(news, EVENTS_AT_ONCE, (part) =>
    emit(
      ctx,
      part.map((it) => ({
        type: 'VULNERABILITY_FOUND',
        payload: {
          vulnerability_id: it.id,
          asset_id: it.assetId,
          cve_id: it.cveId,
          severity: it.severity,
          match_type: it.grade,
          confidence: it.confidence,
          found_at: foundAt,
        },
      })),
    ),
  )
}

export async function rescoreAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await inBatches(assetIds, SETTLED_AT_ONCE, async (part) =>
    setRiskScores(ctx, await riskStore.rescore(ctx, part)),
  )
}

/** A merged asset leaves its findings to the survivor; a deleted one takes them along. */
export async function bury(ctx: Ctx, gone: readonly dueStore.Gone[]): Promise<void> {
  if (gone.length === 0) return
  for (const { id, survivor } of gone)
    if (survivor !== null) await settleStore.moveFindings(ctx, id, survivor)
  const ids = gone.map(({ id }) => id)
  await settleStore.removeOfAssets(ctx, ids)
  await riskStore.removeOfAssets(ctx, ids)
  await dueStore.mark(
    ctx,
    gone.flatMap(({ survivor }) => (survivor === null ? [] : [survivor])),
  )
}

async function withFindings(ctx: Ctx, shifts: readonly Shift[]): Promise<WrittenShift[]> {
  const made = new Map<string, attributionStore.NewFinding>()
  const written = shifts.map((shift): WrittenShift => {
    const { assetId, cveId } = shift
    if (shift.findingId !== null) return { ...shift, findingId: shift.findingId }
    const key = `${assetId} ${cveId}`
    const finding = made.get(key) ?? { id: newUuid(ctx.now()), assetId, cveId }
    made.set(key, finding)
    return { ...shift, findingId: finding.id }
  })
  await attributionStore.addFindings(ctx, [...made.values()])
  return written
}
