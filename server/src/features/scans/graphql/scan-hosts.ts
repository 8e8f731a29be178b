import { pageArgs, pageFrom, pageType, perItem, type Schema, type TypeOf } from '#platform/graphql/schema.ts'
import type { OpenPort } from '../results/open-ports.ts'
import { hostChanges, listScanHosts, type ScanHost } from '../results/scan-hosts.ts'

/** What a list of ports costs beside its host; a host has more of them rarely. */
const PORTS = { field: 1, multiplier: 1 }

export function addHosts(schema: Schema): void {
  const page = pageType(schema, 'ScanHostPage', addHost(schema))
  schema.queryField('scanHosts', (t) =>
    t.field({
      type: page,
      description: 'In the order in which they were found; of each scan the first 1,000, for 30 days.',
      args: { scanId: t.arg.id({ required: true }), ...pageArgs(schema) },
      complexity: perItem,
      resolve: (_, { scanId, ...args }, ctx) => listScanHosts(ctx, scanId, pageFrom(args)),
    }),
  )
}

function addHost(schema: Schema): TypeOf<ScanHost> {
  const change = schema.enumType('ScanHostChange', { values: hostChanges })
  const port = addPort(schema)
  return schema.objectRef<ScanHost>('ScanHost').implement({
    description: 'A host that a scan found, with what differs from the scan of the target before it.',
    fields: (t) => ({
      id: t.exposeID('id'),
      host: t.exposeString('host', { description: 'An address, or a name where there is none.' }),
      name: t.exposeString('name'),
      seenAt: t.expose('seenAt', { type: 'DateTime' }),
      assetId: t.id({
        nullable: true,
        description: 'The asset that the host belongs to now; null when there is none.',
        resolve: ({ asset }) => asset?.id ?? null,
      }),
      assetName: t.string({ nullable: true, resolve: ({ asset }) => asset?.name ?? null }),
      assetType: t.string({ nullable: true, resolve: ({ asset }) => asset?.assetType ?? null }),
      deviceType: t.string({ nullable: true, resolve: ({ asset }) => asset?.deviceType ?? null }),
      ports: t.field({
        type: [port],
        nullable: true,
        description: 'The open ports; null when this kind of scan does not look for them.',
        complexity: PORTS,
        resolve: (it) => it.ports,
      }),
      change: t.expose('change', {
        type: change,
        nullable: true,
        description:
          'new_asset: no source had seen it before. appeared: the scan before did not find it. Null: nothing to compare with.',
      }),
      openedPorts: t.field({ type: [port], complexity: PORTS, resolve: (it) => it.openedPorts }),
      closedPorts: t.field({ type: [port], complexity: PORTS, resolve: (it) => it.closedPorts }),
      changedFields: t.stringList({
        description: 'Which of name, os, vendor and model differ.',
        resolve: (it) => it.changedFields,
      }),
      comparedScanId: t.id({
        nullable: true,
        description: 'The completed scan of the same type and target that it was compared with.',
        resolve: (it) => it.comparedScanId,
      }),
    }),
  })
}

const addPort = (schema: Schema) =>
  schema.objectRef<OpenPort>('OpenPort').implement({
    fields: (t) => ({
      protocol: t.exposeString('protocol', { description: 'tcp or udp' }),
      port: t.exposeInt('port'),
      service: t.exposeString('service', {
        description: 'The registered name of the port; empty where there is none.',
      }),
      banner: t.exposeString('banner', { description: 'The banner of the service; may be empty.' }),
    }),
  })
