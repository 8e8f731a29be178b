import { feedsReadAt } from '#features/advisories/advisories.ts'
import { noteFeedsAndEnds } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { lockAdoptions } from '../adoption-store.ts'
import type { Check } from '../checks/check.ts'
import { conditionsInForce } from '../exceptions/exception-store.ts'
import { recountAllExceptions } from '../exceptions/recount-exceptions.ts'
import { draftForChangedFrameworks } from '../statements/drafts.ts'
import { unlessRefused } from './check-group-store.ts'
import { compileScope, scopeOf } from './check-sql-store.ts'
import * as dueStore from './due-store.ts'
import { judgeControls } from './judge-controls.ts'
import { asSystem, judgeDue, wantedChecks } from './judge-due.ts'
import { judgeAssets } from './judge-assets.ts'
import { between, lastOfNext } from './outcome-store.ts'
import * as store from './result-store.ts'
import { writeProgress } from './round-store.ts'
import * as scopeStore from './scope-store.ts'

/** The first round finds most checks out of order for most assets, all of which pass through here. */
const ASSETS_AT_FIRST = 2_000
/** Where little is found to have changed, the statement is read and planned for more assets at once. */
const ASSETS_AT_ONCE_MAX = 8_000
const LITTLE = 0.1

interface Round {
  /** As they were at its beginning. */
  readonly checks: readonly Check[]
  /** Transactions that had ended when it began: the assets that they changed are judged by it. */
  readonly endedBefore: string
  /** Why some could not be judged, by check. */
  readonly faults: Map<string, string>
}

/**
 * Judges every check that an adopted framework asks for over all assets, some thousand in each transaction, then all
 * controls in one; until then controls wait whose checks were never judged as they are. Counts are taken anew, so that
 * none can drift. Safe to repeat.
 */
export async function evaluateAll(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  await evaluate(ctx, { after: null, assets: Number.POSITIVE_INFINITY }, signal)
}

/** Some of the assets, in the order of their ids. */
export interface Part {
  /** The asset before them; null: from the first. */
  readonly after: string | null
  /** How many, at least. */
  readonly assets: number
}

/**
 * Judges every check over some assets as `evaluateAll` does; of the others, what is due. For checks that were judged over
 * all as they are.
 */
export async function evaluatePart(ctx: Ctx, part: Part, signal?: AbortSignal): Promise<void> {
  await evaluate(ctx, part, signal)
}

async function evaluate(ctx: Ctx, { after: first, assets }: Part, signal?: AbortSignal): Promise<void> {
  const system = asSystem(ctx)
  const begunAt = system.now().toISOString()
  await noteFeedsAndEnds(system)
  const feedsRead = await feedsReadAt(system)
  const round = await atomically(system, beginRound)
  let [after, size, judged]: [string | null, number, number] = [first, ASSETS_AT_FIRST, 0]
  do {
    signal?.throwIfAborted()
    const next: Next = { after, size: Math.min(size, assets - judged) }
    const { last, differing }: Done = await atomically(system, (inner) => judgeNext(inner, round, next))
    after = last
    judged += next.size
    size = differing > size * LITTLE ? ASSETS_AT_FIRST : Math.min(size * 2, ASSETS_AT_ONCE_MAX)
  } while (after !== null && judged < assets)
  const isWhole = first === null && after === null
  // what time passed is due by now, and known not to be looked for again only once it is judged
  if (!isWhole) await judgeDue(system, signal)
  await atomically(system, async (inner) => {
    await endRound(inner, round, isWhole)
    await writeProgress(inner, { lookedUntil: begunAt, lastAssetId: after, feedsReadAt: feedsRead })
  })
  await judgeDue(system, signal)
  await draftForChangedFrameworks(system)
}

/** Locks the adoptions, in a transaction; so nobody adds or takes a framework until its end. */
async function lockedChecks(ctx: Ctx): Promise<Check[]> {
  const adopted = (await lockAdoptions(ctx)).map(({ framework }) => framework)
  return wantedChecks(ctx, adopted)
}

/** From here on assets that change are judged by these checks, so that none is missed that changes during the round. */
async function beginRound(ctx: Ctx): Promise<Round> {
  const checks = await lockedChecks(ctx)
  const subject = await ctx.conditions.on(ctx, 'asset')
  const scopes = new Set<string>()
  for (const check of checks) {
    const scope = await unlessRefused(() => ({ text: scopeOf(subject, check) }))
    if (typeof scope !== 'string' && (await isReadable(ctx, scope.text, subject))) scopes.add(scope.text)
  }
  // what cannot be read any more excepts nothing
  for (const where of await conditionsInForce(ctx))
    if (await isReadable(ctx, where, subject)) scopes.add(where)
  await scopeStore.replaceScopes(ctx, [...scopes])
  await store.addStates(ctx, checks)
  return { checks, endedBefore: await dueStore.endedTransactions(ctx), faults: new Map() }
}

const isReadable = async (ctx: Ctx, scope: string, subject: Subject): Promise<boolean> =>
  typeof (await unlessRefused(() => compileScope(ctx, scope, { subject }))) !== 'string'

interface Next {
  /** The asset before them; null: from the first. */
  readonly after: string | null
  /** How many. */
  readonly size: number
}

interface Done {
  /** Null: there are no more. */
  readonly last: string | null
  readonly differing: number
}

/** By the checks as they are by now, so that nothing is undone that others have found since the round began. */
async function judgeNext(ctx: Ctx, { faults }: Round, { after, size }: Next): Promise<Done> {
  const checks = await lockedChecks(ctx)
  const counted = new Set((await store.states(ctx)).map(({ checkId }) => checkId))
  const last = await lastOfNext(ctx, after, size)
  const judged = checks.filter(({ id }) => counted.has(id) && !faults.has(id))
  const found = await judgeAssets(ctx, judged, between(after, last))
  for (const [checkId, fault] of found.faults) faults.set(checkId, fault)
  return { last, differing: found.differing }
}

/** Checks that people changed during the round wait for the next, which the change has asked for. */
async function endRound(ctx: Ctx, { checks, endedBefore, faults }: Round, isWhole: boolean): Promise<void> {
  const wanted = await lockedChecks(ctx)
  const subject = await ctx.conditions.on(ctx, 'asset')
  const revisions = new Map(wanted.map(({ id, revision }) => [id, revision]))
  const known = new Map((await store.states(ctx)).map((it) => [it.checkId, it.revision]))
  const unchanged = checks
    .filter(({ id, revision }) => revisions.get(id) === revision)
    // of a check that changed just before, a part of the assets says nothing
    .filter(({ id, revision }) => isWhole || known.get(id) === revision)
  const judged = unchanged.filter(({ id }) => !faults.has(id))
  const drift = await store.writeStates(
    ctx,
    judged.map((it) => ({ checkId: it.id, revision: it.revision, scope: scopeOf(subject, it) })),
  )
  for (const { id } of unchanged) {
    const fault = faults.get(id)
    if (fault !== undefined) await store.writeFault(ctx, id, fault)
  }
  await recountAllExceptions(ctx)
  await judgeControls(ctx)
  if (isWhole) await dueStore.removeDueOf(ctx, endedBefore)
  await store.removeOthers(
    ctx,
    wanted.map(({ id }) => id),
  )
  await noteDrift(ctx, drift + (await scopeStore.recountScopes(ctx)))
}

async function noteDrift(ctx: Ctx, assets: number): Promise<void> {
  if (assets === 0) return
  ctx.log.error({ tenantId: ctx.tenantId, assets }, 'compliance counts had drifted and were corrected')
  await dueStore.addDrift(ctx, assets)
}
