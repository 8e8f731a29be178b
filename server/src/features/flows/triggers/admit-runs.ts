import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { areTrue } from '../definition/flow-condition.ts'
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
    const matches = await areTrue(
      inner,
      runs.map(({ definition, ...run }) => ({
        ...run,
        text: definition.condition,
        trigger: definition.trigger,
      })),
    )
    const unmatched = runs.filter((_, n) => !matches[n])
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
