import { noteEffects } from '#features/changes/changes.ts'
import type { Ctx } from '#platform/context.ts'
import type { Definition } from '../flow.ts'
import { newTally } from './tally.ts'
import { tryDefinition } from './run-back-test.ts'

const DAYS = 30
/** The transaction of the try is open meanwhile. */
const TRIED_MS_MAX = 5_000

interface Published {
  readonly id: string
  readonly name: string
  readonly definition: Definition
}

/** While a flow is only published to try it (`ctx.trial`): notes for what it would have run in the last 30 days. */
export async function noteRuns(ctx: Ctx, { id: flowId, name, definition }: Published): Promise<void> {
  if (!ctx.trial) return
  const tally = newTally()
  const signal = AbortSignal.timeout(TRIED_MS_MAX)
  await tryDefinition(ctx, { id: flowId, definition, days: DAYS }, tally, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  const becomes = [[`${name} would have run in the last ${DAYS} days`, true] as const]
  const effects = tally.sample.map(({ assetId }) =>
    assetId === null
      ? { kind: 'flow_run', type: 'flow' as const, id: flowId, name, becomes }
      : { kind: 'flow_run', type: 'asset' as const, id: assetId, name: '', becomes },
  )
  noteEffects(ctx, effects, signal.aborted || tally.runs > effects.length)
}
