import { countAssets } from '#features/assets/assets.ts'
import { listPartners } from '#features/partners/partners.ts'
import type { Ctx } from '#platform/context.ts'
import { whole, type OpenItem, type OpenItemKind } from './open-item.ts'

/** Percent of a partner's quota of assets; each is told once when it is crossed. */
const THRESHOLDS = [80, 95, 100]
const PAGE_SIZE = 100

export const partnerQuotas: readonly OpenItemKind[] = [
  {
    name: 'partner_quota',
    title: `Partners at ${THRESHOLDS.join(', ')} % of their quota`,
    permission: 'partners:read',
    isOfAllAssets: true,
    find: async (ctx, limit) => whole(await crossed(ctx), limit),
  },
]

async function crossed(ctx: Ctx): Promise<OpenItem[]> {
  const partners = await listPartners(ctx, { limit: PAGE_SIZE, offset: 0 })
  if (partners.total === 0) return []
  const assets = await countAssets(ctx)
  return partners.items.flatMap(({ id, name, quotaLimit }) =>
    THRESHOLDS.filter((percent) => assets * 100 >= quotaLimit * percent).map((percent) => ({
      key: `${id}:${percent}`,
      subject: `The partner ${name} has used ${percent} % of its quota: ${assets} of ${quotaLimit} assets`,
      link: `/partners/${id}`,
    })),
  )
}
