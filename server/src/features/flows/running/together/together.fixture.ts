import type { Ctx } from '#platform/context.ts'
import { liveFlow, newAsset, runsOf } from '../../flows.fixture.ts'
import { startFlow } from '../../flows.ts'
import { admitRuns } from '../../triggers/admit-runs.ts'

/** A run of the flow for each of new assets with these names, none of which has begun. */
export async function admitted(ctx: Ctx, names: readonly string[], steps: readonly object[]) {
  const assets: string[] = []
  for (const name of names) assets.push(await newAsset(ctx, name))
  const flow = await liveFlow(ctx, { trigger: { kind: 'manual' }, steps })
  await startFlow(ctx, flow.id, { assetIds: assets })
  await admitRuns(ctx, new AbortController().signal)
  const runIds = (await runsOf(ctx, flow)).map(({ id }) => id)
  return { flow, assets, runIds }
}
