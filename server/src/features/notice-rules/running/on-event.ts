import type { Ctx, Happening } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { addEvents } from '../rule-store.ts'

/** Judges the tenant's new events, looks at open items and writes the notices that are due. */
export const roundJob = job<Record<string, never>>('notice-rules.round')

/** In the transaction of the events: conditions are asked by a worker after the commit. */
export async function noteEvents(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  if ((await addEvents(ctx, happenings)) > 0) await enqueue(ctx, roundJob, {})
}
