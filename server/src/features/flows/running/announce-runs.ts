import { emit } from '#features/events/events.ts'
import type { Cause, Ctx } from '#platform/context.ts'
import { noteTriggered } from './run-store.ts'
import type { ClaimedRun } from './run.ts'

/** What everything follows from that the run does. */
export const causeOf = ({ id, chain, flowId }: ClaimedRun): Cause => ({
  runId: id,
  flowIds: [...chain, flowId],
})

/** FLOW_TRIGGERED for runs that begin for the first time, in the transaction in which they do. */
export async function announceRuns(ctx: Ctx, runs: readonly ClaimedRun[], at: Date): Promise<void> {
  for (const { flowId } of runs) noteTriggered(ctx, flowId, at)
  const announced = runs.filter(({ cause }) => cause !== 'FLOW_TRIGGERED')
  // other flows react, and ask which ones led to it
  for (const alike of Map.groupBy(announced, (run) => causeOf(run).flowIds.join()).values()) {
    const cause = alike[0] && causeOf(alike[0])
    await emit(
      { ...ctx, ...(cause && { cause }) },
      alike.map((run) => triggered(run, at)),
    )
  }
}

const triggered = ({ id, flowId, cause }: ClaimedRun, at: Date) => ({
  type: 'FLOW_TRIGGERED' as const,
  payload: { flow_id: flowId, execution_id: id, event_type: cause, triggered_at: at.toISOString() },
})
