import {
  given,
  pageArgs,
  pageFrom,
  pageType,
  perItem,
  type Schema,
  type TypeOf,
} from '#platform/graphql/schema.ts'
import { linkKinds, relationKinds, type AssetRelation, type TopologyLink } from './relation.ts'
import { addRelation, listLinks, relationsOf, removeRelation } from './topology.ts'

export function graphql(schema: Schema): void {
  const relation = addRelationType(schema)
  const kind = schema.enumType('RelationKind', { values: relationKinds })
  schema.queryField('assetRelations', (t) =>
    t.field({
      type: [relation],
      description: 'What people recorded first, then what observations report.',
      args: { assetId: t.arg.id({ required: true }) },
      resolve: (_, { assetId }, ctx) => relationsOf(ctx, assetId),
    }),
  )
  schema.mutationFields((t) => ({
    addAssetRelation: t.field({
      type: relation,
      args: {
        fromId: t.arg.id({ required: true }),
        kind: t.arg({ type: kind, required: true }),
        toId: t.arg.id({ required: true }),
        note: t.arg.string(),
      },
      resolve: (_, input, ctx) => addRelation(ctx, given(input)),
    }),
    removeAssetRelation: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => removeRelation(ctx, id).then(() => id),
    }),
  }))
  addLinks(schema)
}

function addRelationType(schema: Schema): TypeOf<AssetRelation> {
  const kind = schema.enumType('RelationOrLinkKind', {
    description: 'Recorded by people, or reported: `fdb` is the forwarding table of a switch.',
    values: [...relationKinds, ...linkKinds] as const,
  })
  return schema.objectRef<AssetRelation>('AssetRelation').implement({
    description: 'A relation of an asset to another, as seen from it.',
    fields: (t) => ({
      id: t.exposeID('id', { nullable: true, description: 'Null: observations report it.' }),
      kind: t.expose('kind', { type: kind }),
      direction: t.exposeString('direction', {
        description: '`out`: it runs on, depends on … the other; or `in`.',
      }),
      otherId: t.exposeID('otherId', { nullable: true, description: 'Null: no known asset.' }),
      other: t.exposeString('other', { description: 'Its name, else the other end as it was reported.' }),
      port: t.exposeString('port', { description: 'Empty: not reported.' }),
      otherPort: t.exposeString('otherPort'),
      vlan: t.exposeInt('vlan', { nullable: true }),
      note: t.exposeString('note'),
      by: t.exposeString('by', { nullable: true, description: 'Who recorded it.' }),
      observationId: t.exposeID('observationId', { nullable: true, description: 'Which reports it.' }),
      firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
      lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
    }),
  })
}

function addLinks(schema: Schema): void {
  const link = schema.objectRef<TopologyLink>('TopologyLink').implement({
    description: 'A link that an observation of the asset `a` reports.',
    fields: (t) => ({
      aAsset: t.exposeID('aAsset'),
      aName: t.exposeString('aName'),
      aPort: t.exposeString('aPort'),
      bAsset: t.exposeID('bAsset', { nullable: true, description: 'Null: no known asset.' }),
      bName: t.exposeString('bName'),
      bPort: t.exposeString('bPort'),
      kind: t.exposeString('kind', { description: linkKinds.join(', ') }),
      vlan: t.exposeInt('vlan', { nullable: true }),
      observationId: t.exposeID('observationId'),
      firstSeen: t.expose('firstSeen', { type: 'DateTime' }),
      lastSeen: t.expose('lastSeen', { type: 'DateTime' }),
    }),
  })
  schema.queryField('topologyLinks', (t) =>
    t.field({
      type: pageType(schema, 'TopologyLinkPage', link),
      args: pageArgs(schema),
      complexity: perItem,
      resolve: (_, page, ctx) => listLinks(ctx, pageFrom(page)),
    }),
  )
}
