import { record } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import * as flows from './flow-store.ts'
import { switchOff } from './switch-flow.ts'
import { tellPublisher } from './tell-publisher.ts'

/**
 * Switches off a flow that goes wrong by itself, in the caller's transaction. The list shows the reason, and whoever
 * published it is told.
 */
export async function pauseFlow(ctx: Ctx, flowId: string, reason: string): Promise<void> {
  // before the row of the flow, in the order of whoever admits runs
  await ctx.db.run(lockOfTenant('flows', ctx.tenantId))
  const flow = await flows.lock(ctx, flowId)
  if (!flow?.enabled) return
  await switchOff(ctx, flowId, reason)
  await record(ctx, 'flow.paused', { type: 'flow', id: flowId }, { name: flow.name, reason })
  await tellPublisher(ctx, flow, {
    topic: 'flow-paused',
    subject: `The flow ${flow.name} is off: ${reason}`,
    text: 'It starts nothing more until somebody switches it on again.',
  })
}
