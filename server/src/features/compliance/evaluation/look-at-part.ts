import { feedsReadAt } from '#features/advisories/advisories.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { passedBetween, spansAsked, type AskedSpan } from '#platform/conditions/time-passing.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { adoptions, countJobsAtWork, isJobQueued } from '../adoption-store.ts'
import type { Check } from '../checks/check.ts'
import { unlessRefused } from './check-group-store.ts'
import { scopeOf } from './check-sql-store.ts'
import { markDue } from './due-store.ts'
import { evaluatePart } from './evaluate-checks.ts'
import { enqueueEvaluation, evaluateJob } from './evaluation-job.ts'
import { asSystem, wantedChecks } from './judge-due.ts'
import { states } from './result-store.ts'
import * as store from './round-store.ts'

/**
 * What an hour asks for of a large estate. Changes are judged as they come, so without them only time changes a verdict:
 * judged are the assets for which it passed a span of a check, and a part of all in turn, so that within some hours every
 * asset is judged again, which heals what is wrong and sees what told of no change.
 */

/** Up to so many assets are judged in one round each hour. */
const SMALL_ESTATE = 100_000
const PARTS = 4
/** Above this share a round over all is the shorter way. */
const PASSED_SHARE_MAX = 0.1
/** Clocks of processes differ. */
const MARGIN_MS = 5 * 60_000
const IDS_AT_ONCE = 500
/** The field of conditions that is the same for all assets, and changes without them. */
const FEEDS_READ = 'feeds_read'

/** `all`: a round was asked for, of which there is one at a time. */
export async function evaluateInTurn(
  ctx: Ctx,
  signal?: AbortSignal,
  { smallEstate = SMALL_ESTATE }: { readonly smallEstate?: number } = {},
): Promise<'all' | 'part' | 'left to a round'> {
  const system = asSystem(ctx)
  if ((await isJobQueued(system, evaluateJob.name)) || (await countJobsAtWork(system, evaluateJob.name)) > 0)
    return 'left to a round'
  const assets = await store.countAssets(system)
  const done = await store.progress(system)
  const passed = assets > smallEstate && done ? await timePassed(system, done, assets) : 'judge all'
  if (passed === 'judge all') {
    await enqueueEvaluation(system)
    return 'all'
  }
  await atomically(system, async (inner) => {
    for (let at = 0; at < passed.length; at += IDS_AT_ONCE)
      await markDue(inner, passed.slice(at, at + IDS_AT_ONCE))
  })
  await evaluatePart(system, { after: done?.lastAssetId ?? null, assets: Math.ceil(assets / PARTS) }, signal)
  return 'part'
}

/** Assets for which time may have changed a verdict since the last look; or that nothing less than a round will do. */
async function timePassed(
  ctx: Ctx,
  { lookedUntil, feedsReadAt: readBefore }: store.Progress,
  assets: number,
): Promise<readonly string[] | 'judge all'> {
  const checks = await wantedChecks(
    ctx,
    (await adoptions(ctx)).map(({ framework }) => framework),
  )
  const known = new Map((await states(ctx)).map((it) => [it.checkId, it]))
  // some are new, changed or at fault
  if (checks.some(({ id, revision }) => known.get(id)?.revision !== revision)) return 'judge all'
  const subject = await ctx.conditions.on(ctx, 'asset')
  const conditions = await unlessRefused(() => checks.flatMap((it) => conditionsOf(subject, it)))
  if (typeof conditions === 'string') return 'judge all'
  const spans = spansAsked(conditions)
  const [earlier, later] = [
    new Date(Date.parse(lookedUntil) - MARGIN_MS),
    new Date(ctx.now().getTime() + MARGIN_MS),
  ]
  const ofFeeds = spans.filter(({ field }) => field.name === FEEDS_READ)
  const readNow = await feedsReadAt(ctx)
  if (ofFeeds.some((span) => isPast(span, readBefore, earlier) !== isPast(span, readNow, ctx.now())))
    return 'judge all'
  const condition = passedBetween(
    spans.filter((it) => !ofFeeds.includes(it)),
    earlier,
    later,
  )
  if (!condition) return []
  const limit = Math.ceil(assets * PASSED_SHARE_MAX)
  const ids = await store.assetsWhere(ctx, { subject, condition, limit: limit + 1 })
  return ids.length > limit ? 'judge all' : ids
}

function conditionsOf(subject: Subject, check: Check): Condition[] {
  const texts = [check.condition, check.freshness, scopeOf(subject, check)].filter((it) => it !== '')
  return texts.map((text) => readCondition(subject, 'condition', text))
}

/** What a comparison of the feeds with a span says; undefined where nothing is known. */
const isPast = ({ ms }: AskedSpan, readAt: string | null, now: Date): boolean | undefined =>
  readAt === null ? undefined : Date.parse(readAt) < now.getTime() + ms
