import { atomically, type Ctx } from '#platform/context.ts'
import * as flows from '../flow-store.ts'
import { pauseFlow } from '../pause-flow.ts'
import { tellPublisher } from '../tell-publisher.ts'
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
    if (end.status === 'failed') await noteFailure(inner, run.flowId, end.reason ?? 'unknown reason')
    else store.noteSucceeded(inner, run.flowId)
    return 'ended'
  })
}

/**
 * Counts a failure of the flow, in the caller's transaction. Its publisher is told of the first one after a success, and
 * not of those that follow; after several in a row the flow is paused.
 */
export async function noteFailure(ctx: Ctx, flowId: string, reason: string): Promise<void> {
  const failures = await store.noteFailed(ctx, flowId)
  if (failures === 1) await tellOfFailure(ctx, flowId, reason)
  if (failures >= FAILURES_MAX) await pauseFlow(ctx, flowId, `${FAILURES_MAX} runs in a row failed`)
}

async function tellOfFailure(ctx: Ctx, flowId: string, reason: string): Promise<void> {
  const flow = await flows.find(ctx, flowId)
  if (!flow) return
  await tellPublisher(ctx, flow, {
    topic: 'flow-failed',
    subject: `The flow ${flow.name} failed: ${reason}`,
    text: `You published it. No more is said of it until a run succeeds again; after ${FAILURES_MAX} failures in a row it is switched off.`,
  })
}
