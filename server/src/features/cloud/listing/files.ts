import { listFile } from '#platform/conditions/lists/list-file.ts'
import type { FileRoute } from '#platform/http/uploads.ts'
import { listResourceDetails } from '../cloud.ts'

export const files: readonly FileRoute[] = [
  listFile({
    name: 'cloud-resources.csv',
    async list(ctx, page, query) {
      const { items, total } = await listResourceDetails(ctx, page, query)
      return { items: items.map((it) => ({ ...it, ...latestCost(it.costs) })), total }
    },
    columns: [
      'id',
      'provider',
      'account',
      'region',
      'type',
      'name',
      'status',
      'nativeId',
      'connectionName',
      'tags',
      'assetId',
      'firstSeen',
      'lastSeen',
      'costMonth',
      'cost',
      'currency',
    ],
  }),
]

/** Of the latest month that is known. */
function latestCost([latest]: Awaited<ReturnType<typeof listResourceDetails>>['items'][number]['costs']) {
  return {
    costMonth: latest?.month ?? null,
    cost: latest?.amount ?? null,
    currency: latest?.currency ?? null,
  }
}
