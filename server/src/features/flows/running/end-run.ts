import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import * as flows from '../flow-store.ts'
import { switchOff } from '../switch-flow.ts'
import * as store from './run-store.ts'
import type { ClaimedRun } from './run.ts'

/** Runs in a row that fail before the flow is paused. */
const FAILURES_MAX = 10

export interface RunEnd {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly reason?: string
}

/** Ends the run, unless somebody else has; a flow whose runs keep failing is paused. */
export function endRun(ctx: Ctx, run: ClaimedRun, end: RunEnd): Promise<'ended'> {
  return atomically<'ended'>(ctx, async (inner) => {
    if (!(await store.change(inner, run, { ...end, finishedAt: inner.now() }))) return 'ended'
    if (end.status === 'cancelled') return 'ended'
    if (end.status === 'failed') await noteFailure(inner, run.flowId)
    else await store.noteOutcome(inner, run.flowId, false)
    return 'ended'
  })
}

/** Counts a failure of the flow, in the caller's transaction; after several in a row the flow is paused. */
export async function noteFailure(ctx: Ctx, flowId: string): Promise<void> {
  const failures = await store.noteOutcome(ctx, flowId, true)
  if (failures >= FAILURES_MAX) await pause(ctx, flowId)
}

async function pause(ctx: Ctx, flowId: string): Promise<void> {
  const flow = await flows.lock(ctx, flowId)
  if (!flow?.enabled) return
  const pausedReason = `${FAILURES_MAX} runs in a row failed`
  await switchOff(ctx, flowId, pausedReason)
  await record(ctx, 'flow.paused', { type: 'flow', id: flowId }, { name: flow.name, reason: pausedReason })
}
