import type { Schema } from '#platform/graphql/schema.ts'
import { listSources } from './sources.ts'
import type { ConnectedSource } from './source.ts'

export function graphql(schema: Schema): void {
  const source = schema.objectRef<ConnectedSource>('Source').implement({
    description: 'Where observations come from.',
    fields: (t) => ({
      id: t.exposeID('id'),
      kind: t.exposeString('kind'),
      name: t.exposeString('name'),
      connectedAt: t.expose('connectedAt', {
        type: 'DateTime',
        description: 'When it submitted its first observation.',
      }),
    }),
  })
  schema.queryField('sources', (t) => t.field({ type: [source], resolve: (_, __, ctx) => listSources(ctx) }))
}
