import { atomically, type Ctx } from '#platform/context.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import { enqueueAll } from '#platform/jobs/job.ts'
import { answersTo, type Answer } from '../definition/flow-condition.ts'
import { noteFailure } from '../running/end-run.ts'
import { executeRunJob } from '../running/execution.ts'
import { installationStopReason } from '../stops/stop-store.ts'
import { guardAgainst, noRuns, noteStart, type RecentRuns } from './guards.ts'
import * as store from './new-run-store.ts'

const BATCH = 250
/** Runs of one job: with one job for each, the queue would take longer than the runs. */
const RUNS_PER_JOB = 25

/** All of the tenant's new runs, in batches of one transaction each: matched, skipped by a guard with its name, or removed. */
export async function admitRuns(ctx: Ctx, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await admitBatch(ctx)) === BATCH);
}

/** One at a time for each tenant, because guards count what others admit. */
function admitBatch(ctx: Ctx): Promise<number> {
  return atomically(ctx, async (inner) => {
    await inner.db.run(lockOfTenant('flows', inner.tenantId))
    const runs = await store.toAdmit(inner, BATCH)
    if (runs.length === 0) return 0
    const answers = await answersTo(
      inner,
      runs.map(({ definition, ...run }) => ({
        ...run,
        text: definition.condition,
        trigger: definition.trigger,
      })),
    )
    const stopped = await installationStopReason(inner)
    const asked = stopped === undefined ? runs : runs.map((run) => ({ ...run, stopReason: stopped }))
    await settle(inner, asked, answers)
    return runs.length
  })
}

async function settle(
  ctx: Ctx,
  runs: readonly store.RunToAdmit[],
  answers: readonly Answer[],
): Promise<void> {
  const recent = await recentRuns(ctx, runs)
  const skipped: store.Skip[] = []
  const [unmatched, admitted]: [string[], string[]] = [[], []]
  for (const [n, run] of runs.entries()) {
    const at = ctx.now().getTime()
    const past = recent.get(run.flowId) ?? noRuns()
    recent.set(run.flowId, past)
    const answer = answers[n] ?? { holds: false }
    const isUnmatched = 'holds' in answer && !answer.holds
    if (isUnmatched && run.cause !== 'webhook') unmatched.push(run.id)
    else {
      const reason = conditionReason(answer) ?? offReason(run) ?? guardAgainst(run, past, at)
      if (reason !== undefined) skipped.push({ id: run.id, reason })
      else {
        noteStart(run, past, at)
        admitted.push(run.id)
      }
    }
  }
  await store.settle(ctx, { unmatched, skipped, admitted })
  await noteFaults(ctx, runs, answers)
  const jobs: { readonly payload: { readonly runIds: readonly string[] } }[] = []
  for (let n = 0; n < admitted.length; n += RUNS_PER_JOB)
    jobs.push({ payload: { runIds: admitted.slice(n, n + RUNS_PER_JOB) } })
  await enqueueAll(ctx, executeRunJob, jobs)
}

/** Conditions that can be read no more count as failures of their flows. */
async function noteFaults(
  ctx: Ctx,
  runs: readonly store.RunToAdmit[],
  answers: readonly Answer[],
): Promise<void> {
  const faults = new Map(
    runs.flatMap(({ flowId }, n) => {
      const answer = answers[n]
      return answer && 'fault' in answer ? [[flowId, `condition: ${answer.fault}`] as const] : []
    }),
  )
  for (const [flowId, fault] of faults) await noteFailure(ctx, flowId, fault)
}

/** One that is not true has a reason, too: the sender of a request was told the id of its run, so that one stays. */
function conditionReason(answer: Answer): string | undefined {
  if ('fault' in answer) return `condition: ${answer.fault}`
  return answer.holds ? undefined : 'condition: it is not true'
}

function offReason({ stopReason, enabled, definition, cause }: store.RunToAdmit): string | undefined {
  if (stopReason !== null) return stopReason
  return enabled || definition.trigger.kind === 'manual' || cause === 'manual'
    ? undefined
    : 'off: the flow was switched off'
}

async function recentRuns(ctx: Ctx, runs: readonly store.RunToAdmit[]): Promise<Map<string, RecentRuns>> {
  const now = ctx.now().getTime()
  const found = new Map<string, RecentRuns>()
  const of = (flowId: string): RecentRuns => {
    const recent = found.get(flowId) ?? noRuns()
    found.set(flowId, recent)
    return recent
  }
  for (const it of await store.recentOfFlows(ctx, [...new Set(runs.map(({ flowId }) => flowId))])) {
    const recent = of(it.flowId)
    recent.underWay = it.underWay
    recent.startedAt = Array.from({ length: it.inLastMinute }, () => now)
  }
  const perAsset = runs.filter(
    ({ assetId, definition }) =>
      assetId !== null && (definition.coolDownMinutes > 0 || definition.concurrency === 'asset'),
  )
  for (const it of await store.recentOfAssets(ctx, perAsset)) {
    const recent = of(it.flowId)
    recent.lastOfAsset.set(it.assetId, Date.parse(it.lastAt))
    if (it.isUnderWay) recent.assetsUnderWay.add(it.assetId)
  }
  return found
}
