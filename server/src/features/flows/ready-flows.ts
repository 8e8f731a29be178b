import { matchingAssetIds } from '#features/assets/assets.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import type { BackTest } from './back-test/back-test.ts'
import { startBackTest } from './back-test/back-tests.ts'
import { readDefinition } from './definition/read-definition.ts'
import type { Flow } from './flow.ts'
import { createFlow } from './flows.ts'
import { readyFlows, type ReadyFlow } from './ready-flow-list.ts'

export type { ReadyFlow } from './ready-flow-list.ts'

/** Those whose facts the tenant has; without an agent, nothing is offered that waits for agents. */
export async function offeredReadyFlows(ctx: Ctx): Promise<ReadyFlow[]> {
  permit(ctx, 'flows:read')
  const offered = await Promise.all(readyFlows.map((it) => hasFacts(ctx, it)))
  return readyFlows.filter((_, n) => offered[n])
}

/** Fields that the caller may not read do not exist. */
async function hasFacts(ctx: Ctx, { definition, facts }: ReadyFlow): Promise<boolean> {
  try {
    await readDefinition(ctx, definition)
    return facts === '' || (await matchingAssetIds(ctx, facts, { limit: 1 })).length > 0
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** A draft, and a back-test that says what it would have done in the last 30 days. */
export async function createReadyFlow(
  ctx: Ctx,
  id: string,
): Promise<{ readonly flow: Flow; readonly backTest: BackTest }> {
  permit(ctx, 'flows:write')
  const ready = readyFlows.find((it) => it.id === id)
  if (!ready) throw notFound('ready flow')
  const { name, description, definition } = ready
  const flow = await createFlow(ctx, { name, description, definition })
  return { flow, backTest: await startBackTest(ctx, { flowId: flow.id }) }
}
