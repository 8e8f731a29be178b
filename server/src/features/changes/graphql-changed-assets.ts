import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type EnumOf,
  type Schema,
} from '#platform/graphql/schema.ts'
import type { ChangedAsset, ChangeKind, Changer } from './change.ts'
import { listChangedAssets, listChangers } from './changes.ts'
import type { ChangeFilters } from './graphql-change-filters.ts'

export function addChangedAssets(schema: Schema, kind: EnumOf<ChangeKind>, filters: ChangeFilters): void {
  const counted = schema.objectRef<ChangedAsset['counts'][number]>('CountedChanges').implement({
    fields: (t) => ({ kind: t.expose('kind', { type: kind }), count: t.exposeInt('count') }),
  })
  const changed = schema.objectRef<ChangedAsset>('ChangedAsset').implement({
    fields: (t) => ({
      assetId: t.exposeID('assetId', { nullable: true, description: 'Null: changes of no single asset.' }),
      assetName: t.exposeString('assetName', { description: 'As the latest of the changes has it.' }),
      assetType: t.exposeString('assetType', { nullable: true, description: 'Null: it is there no longer.' }),
      deviceType: t.exposeString('deviceType', { nullable: true, description: 'Null: not worked out.' }),
      total: t.exposeInt('total'),
      lastAt: t.expose('lastAt', { type: 'DateTime' }),
      counts: t.field({ type: [counted], resolve: ({ counts }) => [...counts] }),
      fields: t.stringList({
        description: 'Fields whose values changed.',
        resolve: ({ fields }) => [...fields],
      }),
      changedBy: t.stringList({ description: 'At most five.', resolve: ({ changedBy }) => [...changedBy] }),
    }),
  })
  const page = pageType(schema, 'ChangedAssetPage', changed)
  schema.queryField('changedAssets', (t) =>
    t.field({
      type: page,
      description: 'The assets that changed, each with what and how much; the latest changed first.',
      args: { ...filters, ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { first, offset, ...query }, ctx) =>
        listChangedAssets(ctx, pageFrom({ first, offset }), given(query)),
    }),
  )
  addChangers(schema, filters)
}

function addChangers(schema: Schema, filters: ChangeFilters): void {
  const changer = schema.objectRef<Changer>('Changer').implement({
    fields: (t) => ({ changedBy: t.exposeString('changedBy'), count: t.exposeInt('count') }),
  })
  schema.queryField('changers', (t) =>
    t.field({
      type: [changer],
      description: 'Who made the changes, those with the most first; at most 50.',
      args: filters,
      resolve: (_, query, ctx) => listChangers(ctx, given(query)),
    }),
  )
}
