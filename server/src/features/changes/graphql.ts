import { given, pageArgs, pageFrom, perItem, type EnumOf, type Schema } from '#platform/graphql/schema.ts'
import { addWouldChange } from './graphql-would-change.ts'
import { changeKindNames, changeKinds, type Change, type ChangeCount, type ChangeKind } from './change.ts'
import { countChanges, listChanges, RETENTION_DAYS, type ListedChanges } from './changes.ts'
import { changeFilters } from './graphql-change-filters.ts'
import { addChangedAssets } from './graphql-changed-assets.ts'

export function graphql(schema: Schema): void {
  const kind = schema.enumType('ChangeKind', {
    values: Object.fromEntries(
      changeKindNames.map((name) => [name, { description: changeKinds[name].sentence }]),
    ) as Record<ChangeKind, { description: string }>,
  })
  addChanges(schema, kind)
  addCounts(schema, kind)
  addChangedAssets(schema, kind, changeFilters(schema, kind))
  addWouldChange(schema)
}

function addChanges(schema: Schema, kind: EnumOf<ChangeKind>): void {
  const change = schema.objectRef<Change>('Change').implement({
    fields: (t) => ({
      position: t.exposeFloat('position', { description: 'Later changes have greater ones.' }),
      at: t.expose('at', { type: 'DateTime' }),
      kind: t.expose('kind', { type: kind }),
      assetId: t.exposeID('assetId', { nullable: true }),
      assetName: t.exposeString('assetName', { description: 'As it was then.' }),
      subject: t.exposeString('subject', {
        description:
          'The field, the software, the ports, the CVE, the name of the other asset or of the source.',
      }),
      before: t.expose('before', { type: 'JSON', nullable: true }),
      after: t.expose('after', { type: 'JSON', nullable: true }),
      relatedId: t.exposeID('relatedId', {
        nullable: true,
        description: 'The finding, the other asset or the source.',
      }),
      changedBy: t.exposeString('changedBy'),
    }),
  })
  const page = schema.objectRef<ListedChanges>('ChangePage').implement({
    fields: (t) => ({
      items: t.field({
        type: [change],
        complexity: { field: 1, multiplier: 1 },
        resolve: ({ items }) => [...items],
      }),
      total: t.exposeInt('total'),
      next: t.exposeFloat('next', { description: 'To be given as `after` for what comes behind this page.' }),
    }),
  })
  schema.queryField('changes', (t) =>
    t.field({
      type: page,
      description: `What changed in the last ${RETENTION_DAYS} days, the newest first unless the oldest are asked for first.`,
      args: {
        ...changeFilters(schema, kind),
        after: t.arg.float({ description: 'Changes of greater positions.' }),
        oldestFirst: t.arg.boolean({ required: true, defaultValue: false }),
        ...pageArgs(schema),
      },
      complexity: perItem,
      resolve: (_, { first, offset, oldestFirst, ...query }, ctx) =>
        listChanges(ctx, pageFrom({ first, offset }), given(query), !oldestFirst),
    }),
  )
}

function addCounts(schema: Schema, kind: EnumOf<ChangeKind>): void {
  const counted = schema.objectRef<ChangeCount>('ChangeCount').implement({
    fields: (t) => ({
      day: t.exposeString('day', { description: 'YYYY-MM-DD, in the time zone that was asked for.' }),
      kind: t.expose('kind', { type: kind }),
      count: t.exposeInt('count'),
    }),
  })
  schema.queryField('changeCounts', (t) =>
    t.field({
      type: [counted],
      description:
        'How many changes of each kind a day has; the newest day first, days and kinds without any are left out.',
      args: {
        ...changeFilters(schema, kind),
        zone: t.arg.string({
          required: true,
          defaultValue: 'UTC',
          description: 'IANA time zone of the days.',
        }),
      },
      resolve: (_, { zone, ...query }, ctx) => countChanges(ctx, given(query), zone),
    }),
  )
}
