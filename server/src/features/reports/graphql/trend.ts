import { fromReplica } from '#platform/context.ts'
import type { Schema } from '#platform/graphql/schema.ts'
import { inventoryTrend, type InventoryTrend } from '../inventory-days.ts'

export function addTrend(schema: Schema): void {
  const night = schema.objectRef<InventoryTrend['nights'][number]>('NightlyCount').implement({
    fields: (t) => ({
      day: t.exposeString('day', { description: 'YYYY-MM-DD, UTC.' }),
      assets: t.exposeInt('assets'),
      openFindings: t.exposeInt('openFindings', {
        nullable: true,
        description: 'Null: not counted that night.',
      }),
    }),
  })
  const trend = schema.objectRef<InventoryTrend>('InventoryTrend').implement({
    fields: (t) => ({
      countedSince: t.exposeString('countedSince', {
        nullable: true,
        description: 'The first night that was counted at all.',
      }),
      nights: t.field({
        type: [night],
        description: 'The oldest first; nights on which nothing was counted are left out.',
        resolve: ({ nights }) => [...nights],
      }),
    }),
  })
  schema.queryField('inventoryTrend', (t) =>
    t.field({
      type: trend,
      description: 'How many assets and open findings there were, each night.',
      args: { days: t.arg.int({ required: true, defaultValue: 30 }) },
      resolve: (_, { days }, ctx) => fromReplica(ctx, (there) => inventoryTrend(there, days)),
    }),
  )
}
