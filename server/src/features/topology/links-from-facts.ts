import type { Json } from '#features/assets/observation.ts'
import type { LinkKind } from './relation.ts'

/** A link as one device reports it. The other end is sought by each of the values, in this order. */
export interface ReportedLink {
  readonly kind: LinkKind
  readonly port: string
  readonly text: string
  readonly otherPort: string
  readonly vlan: number | null
  /** Of the device's own interface; null: not told. */
  readonly bitsPerSecond: number | null
  /** Lower case. */
  readonly macs: readonly string[]
  readonly addresses: readonly string[]
  /** Lower case. */
  readonly names: readonly string[]
}

const LINKS_MAX = 1_000
const TEXT_LENGTH_MAX = 200
/** A port behind which a switch has learned more addresses leads to another switch, not to these devices. */
const STATIONS_PER_PORT_MAX = 8
const MAC = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/

/**
 * The links in the facts of an observation: `neighbours` (LLDP and CDP), `stations` (forwarding table of a bridge),
 * `nearby` (ARP) as SNMP scans store them, `host` as scans of virtualisation platforms do. What is not of the expected
 * form is left out: facts are whatever a source sent.
 */
export function linksFromFacts(facts: Readonly<Record<string, Json | undefined>>): ReportedLink[] {
  const neighbours = itemsOf(facts['neighbours']).flatMap(neighbourLink)
  const uplinks = new Set(neighbours.map(({ port }) => port).filter((port) => port !== ''))
  const stations = itemsOf(facts['stations']).flatMap((it) => stationLink('fdb', it))
  const byPort = Map.groupBy(stations, ({ port }) => port)
  const edge = stations.filter(
    ({ port }) =>
      port !== '' && !uplinks.has(port) && (byPort.get(port)?.length ?? 0) <= STATIONS_PER_PORT_MAX,
  )
  const nearby = itemsOf(facts['nearby']).flatMap((it) => stationLink('arp', it))
  const speeds = speedsOf(facts['interfaces'])
  return [...hostLink(facts['host']), ...neighbours, ...edge, ...nearby]
    .slice(0, LINKS_MAX)
    .map((it) => ({ ...it, bitsPerSecond: speeds.get(it.port) ?? null }))
}

/** Told as zero: the interface does not know it. */
const SPEED_MAX = 1e15

/** By the name of an interface. */
function speedsOf(interfaces: unknown): Map<string, number> {
  return new Map(
    itemsOf(interfaces).flatMap((it): [string, number][] => {
      const [name, speed] = [textOf(it['name']), it['bitsPerSecond']]
      const isTold = typeof speed === 'number' && speed >= 1 && speed <= SPEED_MAX
      return isTold && name !== '' ? [[name, Math.round(speed)]] : []
    }),
  )
}

type Link = Omit<ReportedLink, 'bitsPerSecond'>

type Item = Readonly<Record<string, unknown>>

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.filter((it): it is Item => typeof it === 'object' && it !== null) : []

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim().slice(0, TEXT_LENGTH_MAX) : ''

function neighbourLink(item: Item): Link[] {
  const kind = item['by']
  if (kind !== 'lldp' && kind !== 'cdp') return []
  const chassis = textOf(item['remoteChassis']).toLowerCase()
  const name = textOf(item['remoteName'])
  const remote = item['remoteAddresses']
  const addresses = Array.isArray(remote) ? remote.map(textOf).filter((it) => it !== '') : []
  const text = name || chassis || addresses[0]
  if (!text) return []
  return [
    {
      kind,
      port: textOf(item['localInterface']),
      text,
      otherPort: textOf(item['remoteInterface']),
      vlan: null,
      macs: MAC.test(chassis) ? [chassis] : [],
      addresses,
      names: name === '' ? [] : [name.toLowerCase()],
    },
  ]
}

function stationLink(kind: 'fdb' | 'arp', item: Item): Link[] {
  const mac = textOf(item['mac']).toLowerCase()
  if (!MAC.test(mac)) return []
  const address = textOf(item['address'])
  const vlan = item['vlan']
  return [
    {
      kind,
      port: textOf(item['localInterface']),
      text: mac,
      otherPort: '',
      vlan: Number.isInteger(vlan) ? (vlan as number) : null,
      macs: [mac],
      addresses: address === '' ? [] : [address],
      names: [],
    },
  ]
}

function hostLink(value: unknown): Link[] {
  const text = textOf(value)
  if (text === '') return []
  const name = text.toLowerCase()
  return [
    { kind: 'vm_on_host', port: '', text, otherPort: '', vlan: null, macs: [], addresses: [], names: [name] },
  ]
}
