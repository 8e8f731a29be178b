import { subscribe } from '#features/events/events.ts'
import { atomically, beyondLimit, type Ctx, type Happening } from '#platform/context.ts'
import { enqueue, job } from '#platform/jobs/job.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import { addEvents, awaitedEvents } from '../rule-store.ts'

/** Judges the tenant's new events, looks at open items and writes the notices that are due. */
export const roundJob = job<Record<string, never>>('notice-rules.round')

/** As events name the rules that are about them. */
const RULES = 'notice-rules'

/** In the transaction of the events: conditions are asked by a worker after the commit. */
export async function noteEvents(ctx: Ctx, happenings: readonly Happening[]): Promise<void> {
  const wanted = happenings.filter(({ subscribers }) => subscribers?.includes(RULES))
  if (wanted.length > 0 && (await addEvents(ctx, wanted)) > 0) await enqueue(ctx, roundJob, {})
}

/** From now on `noteEvents` is told of what the active rules are about, whoever may see how much of it. */
export const listen = (ctx: Ctx): Promise<void> =>
  atomically(beyondLimit(ctx), async (inner) => {
    await inner.db.run(lockOfTenant('noticeRules', inner.tenantId))
    await subscribe(inner, RULES, await awaitedEvents(inner))
  })
