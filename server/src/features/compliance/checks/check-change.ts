import { noteEffects } from '#features/changes/changes.ts'
import { withinTime } from '#platform/conditions/with-condition.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import { compareChecks, type Comparison, type Verdict } from '../evaluation/check-change-store.ts'
import { compileCheck } from '../evaluation/check-sql-store.ts'
import type { CheckSql, Counts } from '../evaluation/result-store.ts'
import { allChecks } from './all-checks.ts'
import type { Check } from './check.ts'

/** What the change of a check would do, before it is saved. */

export { verdicts, type Move, type MovedAsset } from '../evaluation/check-change-store.ts'

const ASSETS_LISTED = 100

export interface CheckChange extends Comparison {
  /** All zero for a check that is not there yet. */
  readonly before: Counts
  readonly after: Counts
}

export interface ChangedCheck extends Pick<Check, 'scope' | 'condition'> {
  /** Absent: a check that is not there yet. */
  readonly checkId?: string
}

/**
 * Judges all assets by the check as it is and as it would be; nothing is written. Takes 10 seconds at most, else 400. 404
 * for a check that is not there.
 */
export async function previewChange(ctx: Ctx, { checkId, ...changed }: ChangedCheck): Promise<CheckChange> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  const current = checkId === undefined ? undefined : (await allChecks(ctx)).find(({ id }) => id === checkId)
  if (checkId !== undefined && !current) throw notFound('check')
  const found = await withinTime(ctx, 'condition', async (inner) => {
    const subject = await inner.conditions.on(inner, 'asset')
    const before = current ? await compileIfReadable(inner, current, subject) : null
    const after = await compileCheck(inner, changed, { subject })
    return compareChecks(inner, subject, { before, after, limit: ASSETS_LISTED })
  })
  return { ...found, before: countsOf(found, 'before'), after: countsOf(found, 'after') }
}

/** Null: it cannot be read any more, so it judges nothing. */
async function compileIfReadable(ctx: Ctx, check: Check, subject: Subject): Promise<CheckSql | null> {
  try {
    return await compileCheck(ctx, check, { subject })
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function countsOf({ moves }: Comparison, side: 'before' | 'after'): Counts {
  const count = (verdict: Verdict) =>
    moves.reduce((sum, move) => sum + (move[side] === verdict ? move.assets : 0), 0)
  const [ok, failed, unknown] = [count('ok'), count('failed'), count('unknown')]
  return { inScope: ok + failed + unknown, ok, failed, unknown }
}

/**
 * While a check is only tried (`ctx.trial`): notes which assets would be judged otherwise. To be called before it is
 * written. `changed` is null for a check that is to be deleted.
 */
export async function noteVerdicts(
  ctx: Ctx,
  title: string,
  ...[checkId, changed]: [string | undefined, Pick<Check, 'scope' | 'condition'> | null]
): Promise<void> {
  if (!ctx.trial) return
  const { moves, assets } = changed
    ? await previewChange(ctx, { ...changed, ...(checkId !== undefined && { checkId }) })
    : await previewRemoval(ctx, checkId ?? '')
  const effects = assets.map(({ assetId: id, name, before, after }) => {
    const becomes = [[`${title}: ${before}`, false] as const, [`${title}: ${after}`, true] as const]
    return { kind: 'check_verdict', type: 'asset' as const, id, name, becomes }
  })
  const moved = moves.reduce((sum, move) => sum + (move.before === move.after ? 0 : move.assets), 0)
  noteEffects(ctx, effects, moved > assets.length)
}

/** As if the check were new, the other way round. */
async function previewRemoval(ctx: Ctx, checkId: string): Promise<Comparison> {
  const check = (await allChecks(ctx)).find(({ id }) => id === checkId)
  if (!check) throw notFound('check')
  const { moves, assets } = await previewChange(ctx, check)
  const turned = <T extends { readonly before: Verdict; readonly after: Verdict }>(it: T): T => ({
    ...it,
    before: it.after,
    after: it.before,
  })
  return { moves: moves.map(turned), assets: assets.map(turned) }
}
