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
import { mapLayers, topologyMap } from './map/map.ts'
import type { MapLink, MapNode, TopologyMap } from './map/topology-map.ts'
import { addRelation, listLinks, relationsOf, removeRelation } from './topology.ts'

export function graphql(schema: Schema): void {
  const relation = addRelationType(schema)
  const kind = schema.enumType('RelationKind', { values: relationKinds })
  schema.queryField('assetRelations', (t) =>
    t.field({
      type: [relation],
      description: 'What people recorded first, then what observations report.',
      args: {
        assetId: t.arg.id({ required: true }),
        otherId: t.arg.id({ description: 'Those to this asset alone.' }),
      },
      resolve: (_, { assetId, otherId }, ctx) => relationsOf(ctx, assetId, otherId ?? undefined),
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
  addMap(schema)
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
      sourceKind: t.exposeString('sourceKind', {
        nullable: true,
        description: 'What the observation was made by, such as `snmp`.',
      }),
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

function addMap(schema: Schema): void {
  const layer = schema.enumType('TopologyLayer', {
    description:
      '`links`: what is connected with what (layer 2). `routing`: networks and what routes (layer 3).',
    values: mapLayers,
  })
  const node = schema.objectRef<MapNode>('TopologyNode').implement({
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Of an asset; else what it was reported as, or a network.' }),
      name: t.exposeString('name'),
      type: t.exposeString('type', {
        nullable: true,
        description: 'A type of device or asset, `subnet` or `segment`; null: no asset of the inventory.',
      }),
      site: t.exposeString('site', { nullable: true }),
      leaves: t.exposeInt('leaves', { description: 'How many hang on it alone and are not drawn.' }),
    }),
  })
  const link = schema.objectRef<MapLink>('TopologyMapLink').implement({
    fields: (t) => ({
      a: t.exposeInt('a', { description: 'Place among the nodes.' }),
      b: t.exposeInt('b'),
      kinds: t.exposeStringList('kinds', { description: 'What says so.' }),
    }),
  })
  const map = schema.objectRef<TopologyMap>('TopologyMap').implement({
    description: 'What passes traffic on, with counts of what hangs there.',
    fields: (t) => ({
      nodes: t.field({ type: [node], resolve: ({ nodes }) => [...nodes] }),
      links: t.field({ type: [link], resolve: ({ links }) => [...links] }),
      devices: t.exposeInt('devices', { description: 'What is drawn or counted.' }),
    }),
  })
  schema.queryField('topologyMap', (t) =>
    t.field({
      type: map,
      args: { layer: t.arg({ type: layer, required: true }) },
      resolve: (_, args, ctx) => topologyMap(ctx, args.layer),
    }),
  )
}
