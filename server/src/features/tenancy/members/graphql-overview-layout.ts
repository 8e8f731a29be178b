import type { Schema } from '#platform/graphql/schema.ts'
import type { OverviewLayout } from './overview-layout-store.ts'
import { overviewLayout, setOverviewLayout } from './overview-layout.ts'

export function addOverviewLayout(schema: Schema): void {
  const layout = schema.objectRef<OverviewLayout>('OverviewLayout').implement({
    description: 'How the person who asks arranged the overview.',
    fields: (t) => ({
      tiles: t.stringList({
        description: 'In their order. Tiles that are not named come last.',
        resolve: ({ tiles }) => [...tiles],
      }),
      hidden: t.stringList({ resolve: ({ hidden }) => [...hidden] }),
    }),
  })
  schema.queryField('overviewLayout', (t) =>
    t.field({ type: layout, resolve: (_, __, ctx) => overviewLayout(ctx) }),
  )
  schema.mutationField('setOverviewLayout', (t) =>
    t.field({
      type: layout,
      description: 'Nothing in both lists: as it comes.',
      args: {
        tiles: t.arg.stringList({ required: true }),
        hidden: t.arg.stringList({ required: true }),
      },
      resolve: (_, arranged, ctx) => setOverviewLayout(ctx, arranged),
    }),
  )
}
