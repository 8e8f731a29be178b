import { getDemo } from '#features/tenancy/tenancy.ts'
import type { Schema } from '#platform/graphql/schema.ts'
import { ASSETS_DEFAULT } from './demo.ts'

export function graphql(schema: Schema): void {
  const type = schema.objectRef<{ readonly filledAt: string | null }>('Demo').implement({
    description: 'An organisation of invented data, to look around in.',
    fields: (t) => ({
      assets: t.int({ resolve: () => ASSETS_DEFAULT, description: 'How many it has once it is filled.' }),
      filledAt: t.expose('filledAt', { type: 'DateTime', nullable: true }),
    }),
  })
  schema.queryField('demo', (t) =>
    t.field({
      type,
      nullable: true,
      description: 'Null: the organisation is no demo.',
      resolve: async (_, __, ctx) => (await getDemo(ctx)) ?? null,
    }),
  )
}
