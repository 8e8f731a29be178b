import type { Ctx } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { nextTime } from '#platform/jobs/schedule.ts'
import type { Discovery } from '../discovery.ts'
import * as store from '../store.ts'

interface DueTime {
  readonly discoveryId: string
  /** RFC 3339 */
  readonly dueAt: string
}

/** Tried until it succeeds: the job is all that starts the discovery again. */
const TRIES_MAX = 30_000
export const startDueJob = job<DueTime>('discoveries.startDue', TRIES_MAX)

/** Notes the next time of an enabled schedule, and the job that starts it then. */
export async function scheduleNext(
  ctx: Ctx,
  { id, cron, zone, isEnabled }: Pick<Discovery, 'id' | 'cron' | 'zone' | 'isEnabled'>,
): Promise<void> {
  if (cron === null || !isEnabled) return store.setNextAt(ctx, id, null)
  const nextAt = nextTime({ cron, zone }, ctx.now(), '')
  await store.setNextAt(ctx, id, nextAt)
  await enqueue(ctx, startDueJob, { discoveryId: id, dueAt: nextAt.toISOString() }, nextAt)
}
