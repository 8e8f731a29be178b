import { assetsWithSoftwareChanges, softwareOverTime } from '#features/software/software.ts'
import { findingTurnsSince } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import type { Ctx } from '#platform/context.ts'
import { asksAbout } from './asks-about.ts'
import type { History } from './moves-over-histories.ts'
import { findingHistory } from './replay-findings.ts'

/**
 * Assets of which something changed since then that the condition asks about and of which there is a history, some at a
 * time, each asset once, with the histories.
 */
export async function* historiesSince(
  ctx: Ctx,
  condition: Condition,
  since: Date,
): AsyncGenerator<ReadonlyMap<string, readonly History[]>> {
  const asksSoftware = asksAbout(condition, 'software')
  const software = async (assetIds: readonly string[]) =>
    asksSoftware ? softwareHistories(ctx, assetIds, since) : new Map<string, History>()
  const seen = new Set<string>()
  if (asksAbout(condition, 'findings'))
    for await (const turns of findingTurnsSince(ctx, since)) {
      const installed = await software([...turns.keys()])
      yield new Map(
        [...turns].map(([assetId, ofAsset]) => {
          seen.add(assetId)
          const also = installed.get(assetId)
          return [assetId, [findingHistory(ofAsset), ...(also ? [also] : [])]] as const
        }),
      )
    }
  if (!asksSoftware) return
  // findings of the others have not changed since then
  for await (const assetIds of assetsWithSoftwareChanges(ctx, since)) {
    const installed = await software(assetIds.filter((id) => !seen.has(id)))
    yield new Map([...installed].map(([assetId, history]) => [assetId, [history]]))
  }
}

async function softwareHistories(
  ctx: Ctx,
  assetIds: readonly string[],
  since: Date,
): Promise<Map<string, History>> {
  const found = await softwareOverTime(ctx, assetIds, since)
  return new Map(
    [...found].map(([assetId, { times, at }]) => [
      assetId,
      { times, at: (row, atMs) => ({ ...row, 'software()': at(atMs) }) },
    ]),
  )
}
