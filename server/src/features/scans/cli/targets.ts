import type { Command, CommandInput } from '#platform/cli/command.ts'
import { createTarget, deleteTarget, listTargets, tenantOfTarget, updateTarget } from '../scans.ts'
import type { Target } from '../targets/target.ts'

const lists = {
  entry: {
    value: 'ENTRY',
    many: true,
    help: 'a network, a range such as 192.0.2.10-20, an address or a host name; may be repeated',
  },
  exclude: { value: 'ENTRY', many: true, help: 'never looked at; written as entries are; may be repeated' },
  collector: {
    value: 'ID|none',
    many: true,
    help: 'scans it in place of the server; may be repeated; none: the server scans it',
  },
  site: {
    value: 'ID|none',
    help: 'the site whose network it is of: one address in two networks is two machines; none: of no site',
  },
  industrial: {
    value: 'modbus|bacnet|mqtt|none',
    many: true,
    help: 'sweeps ask devices in this protocol who they are; may be repeated; none: in none of them',
  },
} as const

export const targetCommands: readonly Command[] = [
  {
    path: 'target create',
    tenant: true,
    options: {
      name: { value: 'NAME', required: true, help: 'what people call it' },
      cidr: { value: 'RANGE', help: 'a range such as 192.0.2.0/24, at most 65,536 addresses' },
      host: { value: 'HOST', help: 'one address or host name, instead of a range' },
      ...lists,
    },
    help: 'adds networks, ranges or hosts that may be scanned',
    async run(ctx, { options }) {
      const { name = '', cidr, host } = texts(options)
      const target = await createTarget(ctx, {
        name,
        ...(cidr && { cidr }),
        ...(host && { host }),
        ...listsOf(options),
      })
      return { json: targetJson(target), text: targetLine(target) }
    },
  },
  {
    path: 'target update',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args: { id = '' } }) => tenantOfTarget(system, id),
    options: { name: { value: 'NAME', help: 'what people call it' }, ...lists },
    help: 'changes a scan target; entries or exclusions replace all that were there',
    async run(ctx, { args, options }) {
      const { name } = texts(options)
      const changes = { ...(name && { name }), ...listsOf(options) }
      const target = await updateTarget(ctx, args['id'] ?? '', changes)
      return { json: targetJson(target), text: targetLine(target) }
    },
  },
  {
    path: 'target list',
    tenant: true,
    help: 'all scan targets, newest first',
    async run(ctx) {
      const targets = await listTargets(ctx)
      return { json: targets.map(targetJson), text: targets.map(targetLine).join('\n') }
    },
  },
  {
    path: 'target delete',
    args: ['id'],
    tenant: true,
    tenantOf: (system, { args: { id = '' } }) => tenantOfTarget(system, id),
    help: 'removes a scan target; its scans and what they found stay',
    async run(ctx, { args }) {
      await deleteTarget(ctx, args['id'] ?? '')
      return { json: { id: args['id'] }, text: 'Deleted.' }
    },
  },
]

export function texts(options: CommandInput['options']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(options).filter((it): it is [string, string] => typeof it[1] === 'string'),
  )
}

function listsOf(options: CommandInput['options']) {
  const { entry, exclude, collector, site, industrial } = texts(options)
  return {
    ...(entry !== undefined && { entries: entry.split('\n') }),
    ...(exclude !== undefined && { exclusions: exclude.split('\n') }),
    ...(collector !== undefined && { collectorIds: collector === 'none' ? [] : collector.split('\n') }),
    ...(site !== undefined && { siteId: site === 'none' ? null : site }),
    ...(industrial !== undefined && { industrialReads: industrial === 'none' ? [] : industrial.split('\n') }),
  }
}

const targetJson = ({ id, name, kind, address, entries, exclusions, collectorIds, ...other }: Target) => ({
  id,
  name,
  ...(kind === 'range' ? { entries, exclusions } : { [kind]: address }),
  collector_ids: collectorIds,
  site_id: other.siteId,
  industrial_reads: other.industrialReads,
  created_at: other.createdAt,
})

const targetLine = ({ id, name, address, exclusions }: Target): string =>
  `${id}  ${address}${exclusions.length > 0 ? ` without ${exclusions.join(', ')}` : ''}  ${name}`
