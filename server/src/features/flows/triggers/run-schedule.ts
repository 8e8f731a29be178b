import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { newUuid } from '#platform/uuid.ts'
import * as flows from '../flow-store.ts'
import { wantAdmission } from './admission-job.ts'
import * as store from './new-run-store.ts'
import { nextTime } from './schedule.ts'

interface DueTime {
  readonly flowId: string
  /** RFC 3339 */
  readonly dueAt: string
}

/** Tried until it succeeds: the job is all that starts the flow again. */
const TRIES_MAX = 30_000
export const startScheduledJob = job<DueTime>('flows.startScheduled', TRIES_MAX)

const LATE_MS_MAX = 24 * 60 * 60_000
const LATE = 'late: nobody was there to start it for more than a day'

/** Notes the next time of an enabled schedule, and the job that starts it then. */
export async function scheduleNext(
  ctx: Ctx,
  flowId: string,
  schedule: { cron: string; zone: string },
): Promise<void> {
  const nextAt = nextTime(schedule, ctx.now())
  await flows.setNextAt(ctx, flowId, nextAt)
  await enqueue(ctx, startScheduledJob, { flowId, dueAt: nextAt.toISOString() }, nextAt)
}

/** One run for a due time, however late it is noticed, and none for a time that is not the flow's any more. */
export async function startScheduled(ctx: Ctx, { flowId, dueAt }: DueTime): Promise<void> {
  await atomically(ctx, async (inner) => {
    const flow = await flows.lockDue(inner, flowId, new Date(dueAt))
    if (flow?.definition.trigger.kind !== 'schedule') return
    const run = {
      id: newUuid(inner.now()),
      flowId,
      version: flow.version,
      cause: 'schedule',
      dedupeKey: `schedule:${dueAt}`,
      assetId: null,
      chain: [],
      context: { event: { due_at: dueAt }, steps: {} },
    }
    if (await store.add(inner, run)) {
      const isTooLate = inner.now().getTime() - Date.parse(dueAt) > LATE_MS_MAX
      if (isTooLate) await store.skip(inner, [{ id: run.id, reason: LATE }])
      else await wantAdmission(inner)
    }
    await scheduleNext(inner, flowId, flow.definition.trigger)
  })
}
