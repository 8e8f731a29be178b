import type { Subject } from '#platform/conditions/subject.ts'
import { atomically, systemActor, type Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { adoptions, lockAdoptions } from '../adoption-store.ts'
import { allChecks, checksOf } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { checksWithExceptions } from '../exceptions/exception-store.ts'
import { compileCheck, compileScope } from './check-sql-store.ts'
import * as dueStore from './due-store.ts'
import { judgeControls } from './judge-controls.ts'
import * as outcomeStore from './outcome-store.ts'
import { recountExcepted, states } from './result-store.ts'
import * as scopeStore from './scope-store.ts'

/**
 * Assets that changed are judged again as soon as the change is committed. Everything that writes results, counts and
 * statuses of a tenant holds the lock of its adoptions, so that counts are always those of what is written.
 */
export const judgeDueJob = job<Record<string, never>>('compliance.judgeDue')

const ASSETS_AT_ONCE = 500

/** In the transaction of the change. Costs one look where no framework is adopted. */
export async function judgeLater(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  if (assetIds.length === 0 || (await adoptions(ctx)).length === 0) return
  for (let at = 0; at < assetIds.length; at += ASSETS_AT_ONCE)
    // an earlier job of the same name may end before this transaction does, so each has one of its own
    if (await dueStore.markDue(ctx, assetIds.slice(at, at + ASSETS_AT_ONCE)))
      await enqueue(ctx, judgeDueJob, {})
}

/** Until nothing is due or `signal` aborts; each batch is one transaction. */
export async function judgeDue(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const system = asSystem(ctx)
  for (let isMore = true; isMore && !signal?.aborted;) isMore = await atomically(system, judgeBatch)
}

/** Checks find the same whoever asks for a round. */
export const asSystem = (ctx: Ctx): Ctx => ({ ...ctx, actor: systemActor('compliance') })

/** Answers whether there may be more. */
async function judgeBatch(ctx: Ctx): Promise<boolean> {
  const adopted = (await lockAdoptions(ctx)).map(({ framework }) => framework)
  if (adopted.length === 0) {
    await dueStore.removeAllDue(ctx)
    return false
  }
  const due = await dueStore.nextDue(ctx, ASSETS_AT_ONCE)
  if (due.length === 0) return false
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
  return true
}

async function judgeSome(ctx: Ctx, assetIds: readonly string[], adopted: readonly string[]): Promise<void> {
  const checks = await judgedChecks(ctx, adopted)
  const judged = await judge(ctx, assetIds, checks)
  const known = new Set(judged.map(({ assetId }) => assetId))
  const gone = assetIds.filter((id) => !known.has(id))
  const outcomes = new Map<string, outcomeStore.Outcome>()
  for (const { assetId, outcomes: letters } of judged)
    checks.forEach(({ id }, at) => {
      const outcome = letters[at]
      if (outcome === 'f' || outcome === 'u') outcomes.set(`${id} ${assetId}`, outcome)
    })
  await writeDifference(ctx, { assetIds, gone, checks, outcomes })
  await writeScopes(ctx, judged, gone)
  for (const checkId of await checksWithExceptions(ctx)) await recountExcepted(ctx, checkId)
}

/** Those that were judged over all assets as they are now; the others wait for the round that was asked for. */
async function judgedChecks(ctx: Ctx, adopted: readonly string[]): Promise<Check[]> {
  const revisions = new Map((await states(ctx)).map(({ checkId, revision }) => [checkId, revision]))
  return checksOf(await allChecks(ctx), adopted).filter(({ id, revision }) => revisions.get(id) === revision)
}

async function judge(
  ctx: Ctx,
  assetIds: readonly string[],
  checks: readonly Check[],
): Promise<outcomeStore.JudgedAsset[]> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const { from } = subject
  const scopes: scopeStore.CompiledScope[] = []
  for (const it of await scopeStore.scopes(ctx))
    scopes.push({ ...it, isIn: await compileScope(ctx, it.scope, { isOfFew: true, subject }) })
  const compiled: outcomeStore.CompiledCheck[] = []
  for (const check of checks) compiled.push(await compileOrUnknown(ctx, check, subject))
  return outcomeStore.judgeAssets(ctx, assetIds, {
    from,
    scopes: scopeStore.scopesOf(scopes),
    checks: compiled,
  })
}

/** A check that cannot be read any more finds nothing; the next round says so. */
async function compileOrUnknown(
  ctx: Ctx,
  check: Check,
  subject: Subject,
): Promise<outcomeStore.CompiledCheck> {
  try {
    const { isInScope, isOk } = await compileCheck(ctx, check, { isOfFew: true, subject })
    return { id: check.id, isInScope, isOk }
  } catch (error) {
    if (error instanceof Refusal) return { id: check.id, ...outcomeStore.nothing }
    throw error
  }
}

interface Difference {
  readonly assetIds: readonly string[]
  readonly gone: readonly string[]
  readonly checks: readonly Check[]
  /** Of what is not in order, by check and asset. */
  readonly outcomes: ReadonlyMap<string, outcomeStore.Outcome>
}

async function writeDifference(ctx: Ctx, { assetIds, gone, checks, outcomes }: Difference): Promise<void> {
  const judgedIds = new Set(checks.map(({ id }) => id))
  const isGone = new Set(gone)
  const before = (await outcomeStore.resultsOf(ctx, assetIds)).filter(
    ({ checkId, assetId }) => judgedIds.has(checkId) || isGone.has(assetId),
  )
  const written = new Map(before.map((it) => [`${it.checkId} ${it.assetId}`, it.outcome]))
  const ended = before
    .filter(({ checkId, assetId }) => !outcomes.has(`${checkId} ${assetId}`))
    .map((it): outcomeStore.Result => ({ ...it, outcome: '-' }))
  const begun = [...outcomes].flatMap(([key, outcome]): outcomeStore.Result[] => {
    const [checkId = '', assetId = ''] = key.split(' ')
    return written.get(key) === outcome ? [] : [{ checkId, assetId, outcome }]
  })
  const changed = [...ended, ...begun]
  if (changed.length === 0) return
  await outcomeStore.writeResults(ctx, changed)
  await outcomeStore.moveCounts(ctx, movesOf(changed, written))
}

function movesOf(
  changed: readonly outcomeStore.Result[],
  before: ReadonlyMap<string, outcomeStore.Outcome>,
): outcomeStore.Move[] {
  const moves = new Map<string, { failed: number; unknown: number }>()
  for (const { checkId, assetId, outcome } of changed) {
    const move = moves.get(checkId) ?? { failed: 0, unknown: 0 }
    moves.set(checkId, move)
    for (const [letter, by] of [
      [before.get(`${checkId} ${assetId}`), -1],
      [outcome, 1],
    ] as const) {
      if (letter === 'f') move.failed += by
      if (letter === 'u') move.unknown += by
    }
  }
  return [...moves].map(([checkId, move]) => ({ checkId, ...move }))
}

async function writeScopes(
  ctx: Ctx,
  judged: readonly outcomeStore.JudgedAsset[],
  gone: readonly string[],
): Promise<void> {
  const changed = judged.flatMap(({ assetId, scopes: after, scopesBefore }): scopeStore.ScopesOfAsset[] =>
    scopesBefore?.join() === after.join() ? [] : [{ assetId, before: scopesBefore ?? [], after }],
  )
  const left = (await scopeStore.scopesOfAssets(ctx, gone)).map((it) => ({ ...it, after: [] }))
  await scopeStore.writeScopes(ctx, [...changed, ...left])
  await scopeStore.forgetAssets(ctx, gone)
}
