import { atomically, systemActor, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { adoptions, isJobQueued, lockAdoptions } from '../adoption-store.ts'
import { allChecks, checksOf } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { recountAllExceptions } from '../exceptions/recount-exceptions.ts'
import * as dueStore from './due-store.ts'
import { judgeControls } from './judge-controls.ts'
import { enqueueEvaluation } from './evaluation-job.ts'
import { judgeAssets } from './judge-assets.ts'
import { these } from './outcome-store.ts'
import { states, type CheckState } from './result-store.ts'

/**
 * Assets that changed are judged again as soon as the change is committed. Everything that writes results, counts and
 * statuses of a tenant holds the lock of its adoptions, so that counts are always those of what is written.
 */
export const judgeDueJob = job<Record<string, never>>('compliance.judgeDue')

const ASSETS_AT_ONCE = 500
const LOOK_AGAIN_MS = 1_000

/** In the transaction of the change. Costs one look where no framework is adopted. */
export async function judgeLater(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0 || (await adoptions(ctx)).length === 0) return
  for (let at = 0; at < assetIds.length; at += ASSETS_AT_ONCE)
    // an earlier job of the same name may end before this transaction does, so each has one of its own
    if (await dueStore.markDue(ctx, assetIds.slice(at, at + ASSETS_AT_ONCE)))
      await enqueue(ctx, judgeDueJob, {})
}

/**
 * Until nothing is due or `signal` aborts; each batch is one transaction. One at a time does so for a tenant, so that its
 * jobs do not fill the places of others with waiting: who comes meanwhile leaves, and one job looks again, since the one
 * at work may have looked for the last time.
 */
export async function judgeDue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const system = asSystem(ctx)
  let left: Left = 'more'
  while (left === 'more' && !signal?.aborted) left = await atomically(system, judgeBatch)
  if (left === 'others judge' && !(await isJobQueued(system, judgeDueJob.name)))
    await enqueue(system, judgeDueJob, {}, new Date(system.now().getTime() + LOOK_AGAIN_MS))
}

/** Checks find the same whoever asks for a round. */
export const asSystem = (ctx: Ctx): Ctx => ({ ...ctx, actor: systemActor('compliance') })

type Left = 'more' | 'nothing' | 'others judge'

async function judgeBatch(ctx: Ctx): Promise<Left> {
  if (!(await dueStore.tryJudgeDue(ctx))) return 'others judge'
  const adopted = (await lockAdoptions(ctx)).map(({ framework }) => framework)
  if (adopted.length === 0) {
    await dueStore.removeAllDue(ctx)
    return 'nothing'
  }
  const due = await dueStore.nextDue(ctx, ASSETS_AT_ONCE)
  if (due.length === 0) return 'nothing'
  const assetIds = new Set<string>()
  const taken: number[] = []
  for (const { id, assetIds: ids } of due) {
    if (taken.length > 0 && assetIds.size + ids.length > ASSETS_AT_ONCE) break
    taken.push(id)
    for (const it of ids) assetIds.add(it)
  }
  await judgeSome(ctx, [...assetIds], adopted)
  await dueStore.removeDue(ctx, taken)
  await judgeControls(ctx)
  return 'more'
}

async function judgeSome(ctx: Ctx, assetIds: readonly string[], adopted: readonly string[]): Promise<void> {
  const known = await states(ctx)
  const { faults } = await judgeAssets(
    ctx,
    countedChecks(await wantedChecks(ctx, adopted), known),
    these(assetIds),
  )
  // the round finds the same and says so
  if (known.some(({ checkId, fault }) => fault === null && faults.has(checkId))) await enqueueEvaluation(ctx)
  await recountAllExceptions(ctx)
}

export const wantedChecks = async (ctx: Ctx, adopted: readonly string[]): Promise<Check[]> =>
  checksOf(await allChecks(ctx), adopted)

/** Those that a round over all assets has judged as they are, or is judging; the others wait for the one that was asked for. */
function countedChecks(checks: readonly Check[], known: readonly CheckState[]): Check[] {
  const revisions = new Map(known.map(({ checkId, revision }) => [checkId, revision]))
  return checks.filter(({ id, revision }) => {
    const judged = revisions.get(id)
    return judged === null || judged === revision
  })
}
