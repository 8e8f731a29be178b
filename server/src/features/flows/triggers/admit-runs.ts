import { eventVocabulary } from '../definition/event-vocabulary.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { evaluate } from '#platform/conditions/evaluate.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { executeRunJob } from '../running/execution.ts'
import { removeEnded } from '../running/run-store.ts'
import * as store from './new-run-store.ts'

const BATCH = 100
/** Flows that start each other: the sixth in a row does not run. */
const CHAIN_MAX = 5
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How long ended runs stay with their steps. */
const KEPT_DAYS = 90

/** All of the tenant's new runs, in batches of one transaction each: matched, skipped by a guard with its name, or removed. */
export async function admitRuns(ctx: Ctx, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await admitBatch(ctx)) === BATCH);
  await removeEnded(ctx, new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS))
}

function admitBatch(ctx: Ctx): Promise<number> {
  return atomically(ctx, async (inner) => {
    const runs = await store.toAdmit(inner, BATCH)
    const unmatched = runs.filter((run) => !isMatch(run, inner.now()))
    if (unmatched.length > 0)
      await store.remove(
        inner,
        unmatched.map(({ id }) => id),
      )
    for (const run of runs.filter((it) => !unmatched.includes(it))) {
      const guard = await guardAgainst(inner, run)
      if (guard) await store.skip(inner, run.id, guard)
      else await start(inner, run)
    }
    return runs.length
  })
}

async function start(ctx: Ctx, run: store.RunToAdmit): Promise<void> {
  await store.admit(ctx, run.id)
  await enqueue(ctx, executeRunJob, { runId: run.id })
}

/** Unknown counts as no match. */
function isMatch({ definition, context }: store.RunToAdmit, now: Date): boolean {
  if (definition.condition === '') return true
  const types = definition.trigger.kind === 'event' ? definition.trigger.eventTypes : []
  const vocabulary = eventVocabulary(types)
  const condition = parseCondition(definition.condition, vocabulary)
  return evaluate(condition, { event: context.event }, { now, vocabulary }) === true
}

/** The name of the guard that keeps the run from starting; undefined: none does. */
async function guardAgainst(ctx: Ctx, run: store.RunToAdmit): Promise<string | undefined> {
  const { definition, chain, flowId } = run
  if (!run.enabled && definition.trigger.kind !== 'manual') return 'the flow was switched off'
  if (chain.includes(flowId)) return 'loop: the flow stands among those that led here'
  if (chain.length >= CHAIN_MAX) return `chain: ${CHAIN_MAX} flows led here`
  const coolSince = new Date(ctx.now().getTime() - definition.coolDownMinutes * MINUTE_MS)
  const recent = await store.recentRuns(ctx, run, coolSince)
  if (recent.inLastMinute >= definition.runsPerMinute)
    return `rate: more than ${definition.runsPerMinute} runs a minute`
  if (definition.coolDownMinutes > 0 && recent.isCooling)
    return `cool-down: it ran for this asset within ${definition.coolDownMinutes} minutes`
  return undefined
}
