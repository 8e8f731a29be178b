import { given, type EnumOf, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import { industrialReads, type IndustrialRead } from '../probes/sweep/industrial/industrial-reads.ts'
import type { Target } from '../targets/target.ts'
import { createTarget, deleteTarget, listTargets, updateTarget } from '../scans.ts'

export function addTargets(schema: Schema, kind: EnumOf<Target['kind']>): void {
  const industrialRead = schema.enumType('IndustrialRead', { values: industrialReads })
  const target = schema.objectRef<Target>('Target').implement({
    description: 'Networks, ranges and hosts that may be scanned.',
    fields: (t) => ({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      kind: t.expose('kind', { type: kind }),
      address: t.exposeString('address', {
        description: 'The one entry, else the entries joined by commas.',
      }),
      entries: t.exposeStringList('entries', {
        description: 'Networks, ranges, addresses and host names, in canonical form.',
      }),
      exclusions: t.exposeStringList('exclusions', { description: 'What is never looked at.' }),
      collectorIds: t.idList({
        description: 'The collectors that scan it in place of the server; none: the server does.',
        resolve: (it) => [...it.collectorIds],
      }),
      siteId: t.exposeID('siteId', {
        nullable: true,
        description:
          'The site whose network it is of: one address in two networks is two machines. Null: the network of its collectors, else of the server.',
      }),
      industrialReads: t.expose('industrialReads', {
        type: [industrialRead],
        description:
          'In these protocols its sweeps ask devices who they are; none unless somebody turned them on.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
  })
  schema.queryField('targets', (t) => t.field({ type: [target], resolve: (_, __, ctx) => listTargets(ctx) }))
  addTargetMutations(schema, target, industrialRead)
}

function addTargetMutations(
  schema: Schema,
  target: TypeOf<Target>,
  industrialRead: EnumOf<IndustrialRead>,
): void {
  schema.mutationFields((t) => ({
    createTarget: t.field({
      type: target,
      description: 'Exactly one of cidr, host and entries.',
      args: {
        name: t.arg.string({ required: true }),
        cidr: t.arg.string(),
        host: t.arg.string(),
        entries: t.arg.stringList(),
        exclusions: t.arg.stringList(),
        collectorIds: t.arg.idList(),
        siteId: t.arg.id({ description: 'A place that is a site.' }),
        industrialReads: t.arg({ type: [industrialRead] }),
      },
      resolve: (_, { name, ...address }, ctx) => createTarget(ctx, { name, ...given(address) }),
    }),
    updateTarget: t.field({
      type: target,
      description: 'What is not given stays.',
      args: {
        id: t.arg.id({ required: true }),
        name: t.arg.string(),
        entries: t.arg.stringList(),
        exclusions: t.arg.stringList(),
        collectorIds: t.arg.idList({ description: 'All that were there are replaced.' }),
        siteId: t.arg.id({
          description: 'What was found at its addresses moves with it. Empty: of no site any more.',
        }),
        industrialReads: t.arg({ type: [industrialRead] }),
      },
      resolve: (_, { id, ...changes }, ctx) => updateTarget(ctx, id, withSite(given(changes))),
    }),
    deleteTarget: t.field({
      type: 'ID',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, ctx) => deleteTarget(ctx, id).then(() => id),
    }),
  }))
}

const withSite = <T extends { readonly siteId?: string }>({ siteId, ...others }: T) => ({
  ...others,
  ...(siteId !== undefined && { siteId: siteId === '' ? null : siteId }),
})
