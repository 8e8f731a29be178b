import type { Ctx } from '#platform/context.ts'
import type { LiveTopic } from '#platform/http/server-sent-events.ts'
import { listAssets } from './assets.ts'

const SHOWN = 10

/** The topic of commits that bring assets, change them or take them away. */
const topicOf = (tenantId: string): string => `assets ${tenantId}`

export const live: readonly LiveTopic[] = [
  {
    event: 'assets',
    topicOf: topicOf,
    async read(ctx) {
      const { items, total } = await listAssets(ctx, { limit: SHOWN, offset: 0 })
      return { total, newest: items.map(({ id, name, assetType }) => ({ id, name, assetType })) }
    },
  },
]

/** Told with the events, which are written when the change is. */
export async function publishAssetChange(ctx: Ctx): Promise<void> {
  ctx.db.afterCommit(topicOf(ctx.tenantId))
}
