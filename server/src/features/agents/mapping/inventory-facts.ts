import type { Json } from '#features/assets/observation.ts'
import type { Content, Inventory, Row } from '../messages/message.ts'
import { interfacesIn } from './network-interfaces.ts'

/** Length of facts as JSON, in characters; an observation may carry 64 KiB. */
const LENGTH_MAX = 56 * 1_024
/** Free space changes with every report; in steps it makes no new state of the host each time. */
const USED_STEP_PERCENT = 5
const MEBIBYTE = 1_048_576

/** What is known of the host beside its identity and software. The less important lists are cut first. */
export function factsIn({ content, version }: Inventory): Record<string, Json> {
  const row = (category: string): Row | undefined => content.get(category)?.[0]
  const [hardware, system, bios, cpu] = [row('hardware'), row('operatingsystem'), row('bios'), row('cpus')]
  const memory = Number(hardware?.get('memory') ?? Number.NaN)
  const short = present({
    agentVersion: version,
    kernel: system?.get('kernel_version'),
    architecture: system?.get('arch') ?? cpu?.get('cpuarch'),
    cpuModel: cpu?.get('name') ?? cpu?.get('type') ?? hardware?.get('processort'),
    memoryBytes: Number.isFinite(memory) && memory > 0 ? memory * MEBIBYTE : undefined,
    virtualization: hardware?.get('vmsystem'),
    biosVersion: bios?.get('bversion'),
  })
  return factsWithin(short, listsIn(content))
}

/** The most important first. */
function listsIn(content: Content): Record<string, readonly Json[]> {
  const rows = (category: string): readonly Row[] => content.get(category) ?? []
  const pickedFrom = (category: string, fields: Readonly<Record<string, string>>): Json[] =>
    rows(category).map((it) => picked(it, fields))
  return {
    interfaces: interfacesIn(content).interfaces.map((it) => ({ ...it })),
    fileSystems: rows('drives').map(fileSystem),
    disks: pickedFrom('storages', diskFields),
    virtualMachines: pickedFrom('virtualmachines', guestFields),
    antivirus: pickedFrom('antivirus', antivirusFields),
    firewalls: [...pickedFrom('firewalls', firewallFields), ...pickedFrom('firewall', firewallFields)],
    monitors: pickedFrom('monitors', monitorFields),
    memories: pickedFrom('memories', memoryFields),
    accounts: rows('local_users').map((it) => it.get('login') ?? ''),
  }
}

/** Our name of a field, and the agents'. */
const diskFields = {
  name: 'name',
  model: 'model',
  maker: 'manufacturer',
  serial: 'serial',
  size: 'disksize',
  type: 'type',
}
const guestFields = { name: 'name', uuid: 'uuid', status: 'status', system: 'vmtype' }
const antivirusFields = {
  name: 'name',
  maker: 'company',
  version: 'version',
  enabled: 'enabled',
  upToDate: 'uptodate',
}
const firewallFields = { name: 'description', profile: 'profile', status: 'status' }
const monitorFields = { name: 'caption', maker: 'manufacturer', serial: 'serial', description: 'description' }
const memoryFields = { slot: 'numslots', size: 'capacity', type: 'type', maker: 'manufacturer' }

function fileSystem(row: Row): Json {
  const [total, free] = [Number(row.get('total')), Number(row.get('free'))]
  const used =
    total > 0 && free >= 0 ? Math.round(((total - free) / total) * (100 / USED_STEP_PERCENT)) : undefined
  return present({
    device: row.get('volumn') ?? row.get('letter'),
    mountedAt: row.get('type'),
    type: row.get('filesystem'),
    sizeBytes: total > 0 ? total * MEBIBYTE : undefined,
    usedPercent: used === undefined ? undefined : used * USED_STEP_PERCENT,
  })
}

const picked = (row: Row, fields: Readonly<Record<string, string>>): Json =>
  present(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, row.get(field)])))

const present = (fields: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(Object.entries(fields).filter(([, it]) => it !== undefined && it !== '')) as Record<
    string,
    Json
  >

/** Cuts the lists, the later ones first, so that the facts fit into an observation; `notes` says what is missing. */
export function factsWithin(
  short: Record<string, Json>,
  lists: Readonly<Record<string, readonly Json[]>>,
): Record<string, Json> {
  const facts = { ...short }
  let left = LENGTH_MAX - JSON.stringify(short).length
  for (const [name, list] of Object.entries(lists)) {
    const items: Json[] = []
    for (const item of list) {
      left -= JSON.stringify(item).length + 1
      if (left < 0) break
      items.push(item)
    }
    if (items.length > 0) facts[name] = items
    if (items.length < list.length) facts['notes'] = [`${name}: ${items.length} of ${list.length}`]
    if (left < 0) break
  }
  return facts
}
