import { permit, type Ctx } from '#platform/context.ts'
import { NIL_UUID } from '#platform/uuid.ts'
import * as store from './finding-turns-store.ts'

export type { FindingTurn } from './finding-turns-store.ts'

const ASSETS_AT_ONCE = 200

/**
 * Assets of which a finding changed since then, some at a time, with all that ever became of their findings, the oldest
 * first.
 */
export async function* findingTurnsSince(
  ctx: Ctx,
  since: Date,
): AsyncGenerator<ReadonlyMap<string, readonly store.FindingTurn[]>> {
  permit(ctx, 'vulnerabilities:read')
  for (let after = NIL_UUID; ;) {
    const ids = await store.assetsWithTurns(ctx, { since, after, limit: ASSETS_AT_ONCE })
    if (ids.length === 0) return
    yield Map.groupBy(await store.turnsOf(ctx, ids), ({ assetId }) => assetId)
    after = ids.at(-1) ?? ''
  }
}
