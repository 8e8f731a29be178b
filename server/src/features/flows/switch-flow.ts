import { subscribe } from '#features/events/events.ts'
import type { Ctx } from '#platform/context.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import { enqueue } from '#platform/jobs/job.ts'
import type { Definition } from './flow.ts'
import * as store from './flow-store.ts'
import { setLive } from './hooks/hook-store.ts'
import { forgetMembers } from './triggers/query-store.ts'
import { askAboutAllJob } from './triggers/query-job.ts'
import { scheduleNext } from './triggers/run-schedule.ts'
import { TRIGGERS } from './triggers/subscribers.ts'

/** Starts no further runs; in the caller's transaction. */
export async function switchOff(ctx: Ctx, flowId: string, pausedReason: string | null): Promise<void> {
  await ctx.db.run(lockOfTenant('flows', ctx.tenantId))
  await store.setEnabled(ctx, { flowId, enabled: false, pausedReason, eventTypes: [] })
  await setLive(ctx, flowId, undefined)
  await forgetMembers(ctx, flowId)
  await listen(ctx)
}

/** Lets the trigger of the published version start runs; in the caller's transaction. */
export async function switchOn(ctx: Ctx, flowId: string, { trigger }: Definition): Promise<void> {
  await ctx.db.run(lockOfTenant('flows', ctx.tenantId))
  const eventTypes = trigger.kind === 'event' ? trigger.eventTypes : []
  await store.setEnabled(ctx, { flowId, enabled: true, pausedReason: null, eventTypes })
  await setLive(ctx, flowId, trigger)
  await forgetMembers(ctx, flowId)
  await listen(ctx)
  if (trigger.kind === 'schedule') await scheduleNext(ctx, flowId, trigger)
  if (trigger.kind === 'query') await enqueue(ctx, askAboutAllJob, { flowId })
}

async function listen(ctx: Ctx): Promise<void> {
  await subscribe(ctx, TRIGGERS, await store.awaitedEvents(ctx))
}
