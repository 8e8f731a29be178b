import { tenantOfAsset } from '#features/assets/assets.ts'
import type { Command } from '#platform/cli/command.ts'
import { relationKinds, type AssetRelation, type RelationKind } from './relation.ts'
import { addRelation, deriveLinks, relationsOf, removeRelation } from './topology.ts'

export const commands: readonly Command[] = [
  {
    path: 'asset relations',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? ''),
    help: 'what it runs on, depends on and is connected to, as recorded and as reported by scans',
    async run(ctx, { args }) {
      const relations = await relationsOf(ctx, args['id'] ?? '')
      return { json: relations, text: relations.map(lineOf).join('\n') || 'None is known.' }
    },
  },
  {
    path: 'asset relate',
    args: ['id', 'kind', 'other'],
    tenant: true,
    tenantOf: (system, { args }) => tenantOfAsset(system, args['id'] ?? ''),
    options: { note: { value: 'TEXT', help: 'why, or how' } },
    help: `records a relation: ${relationKinds.join(', ')}`,
    async run(ctx, { args, options }) {
      const { id: fromId = '', kind, other: toId = '' } = args
      const { note } = options
      const relation = await addRelation(ctx, {
        fromId,
        kind: (kind ?? '').replaceAll('-', '_') as RelationKind,
        toId,
        ...(typeof note === 'string' && { note }),
      })
      return { json: relation, text: `Recorded: ${lineOf(relation)}` }
    },
  },
  {
    path: 'asset unrelate',
    args: ['relation'],
    tenant: true,
    help: 'takes a recorded relation away (ids: asset relations)',
    async run(ctx, { args }) {
      const { relation: id = '' } = args
      await removeRelation(ctx, id)
      return { json: { id }, text: 'Taken away.' }
    },
  },
  {
    path: 'topology derive',
    tenant: true,
    help: 'derives links from what scans reported, as a job does every hour',
    async run(ctx) {
      const links = await deriveLinks(ctx)
      return { json: { links }, text: `${links} links.` }
    },
  },
]

const lineOf = ({ id, kind, direction, other, port, otherPort, vlan, lastSeen, by }: AssetRelation): string =>
  [
    id ?? '',
    `${direction === 'out' ? '' : '<- '}${kind.replaceAll('_', ' ')}`,
    other + (otherPort && ` (${otherPort})`),
    port && `on ${port}`,
    vlan === null ? '' : `VLAN ${vlan}`,
    by === null ? `reported ${lastSeen}` : `by ${by}`,
  ]
    .filter(Boolean)
    .join('  ')
