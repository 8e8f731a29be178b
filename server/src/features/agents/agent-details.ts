import { assetsOfKeys } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import type { Agent } from './agent.ts'
import type { ListedAgent } from './agent-store.ts'
import * as tokens from './tokens/token-store.ts'

/** Adds the token that each was enrolled with, and the asset that its reports belong to where the actor reads assets. */
export async function withDetails(ctx: Ctx, agents: readonly ListedAgent[]): Promise<Agent[]> {
  const byId = new Map((await tokens.tokens(ctx)).map((token) => [token.id, token]))
  const assets = await assetIdsOf(ctx, agents)
  return agents.map((agent): Agent => {
    const token = byId.get(agent.tokenId)
    const ends = [token?.revokedAt, token?.expiresAt].filter((it) => typeof it === 'string').toSorted()
    return {
      ...agent,
      tokenName: token?.name ?? '',
      tokenEndedAt: ends[0] ?? null,
      assetId: assets.get(`${agent.kind} ${agent.sourceKey}`) ?? null,
    }
  })
}

/** By kind and source key. */
async function assetIdsOf(ctx: Ctx, agents: readonly ListedAgent[]): Promise<ReadonlyMap<string, string>> {
  if (!ctx.actor.may('assets:read')) return new Map()
  const found = new Map<string, string>()
  for (const [kind, ofKind] of Map.groupBy(agents, (it) => it.kind)) {
    const keys = ofKind.map(({ sourceKey }) => sourceKey)
    for (const [key, id] of await assetsOfKeys(ctx, { kind, name: kind }, keys))
      found.set(`${kind} ${key}`, id)
  }
  return found
}
