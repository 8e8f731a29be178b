import type { Ctx } from '#platform/context.ts'
import type { LiveTopic } from '#platform/http/server-sent-events.ts'
import { listAssets } from './assets.ts'

const SHOWN = 10

/** Topic notified by commits that add, change or delete assets. */
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

/** Handler of the asset events: notifies live clients after the commit. */
export async function publishAssetChange(ctx: Ctx): Promise<void> {
  ctx.db.afterCommit(topicOf(ctx.tenantId))
}
