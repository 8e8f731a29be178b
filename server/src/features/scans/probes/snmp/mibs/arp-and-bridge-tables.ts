import type { Row, Source } from './table.ts'
import { table } from './table.ts'
import { address, inetAddress, line, mac, number } from '../protocol/textual-conventions.ts'

/** Another machine on the same link, by ARP or neighbour discovery (IP-MIB). */
export interface Nearby {
  readonly interfaceIndex: number
  readonly address: string
  readonly mac: string
}

/** Behind which port of a switch a station was heard (BRIDGE-MIB, RFC 4188; Q-BRIDGE-MIB, RFC 4363). */
export interface Station {
  readonly mac: string
  /** Undefined where the switch does not map the bridge port to an interface. */
  readonly interfaceIndex: number | undefined
  readonly vlan?: number
}

export interface Vlan {
  readonly id: number
  readonly name: string
}

export interface Switching {
  /** dot1dBaseBridgeAddress. */
  readonly bridgeMac: string | undefined
  readonly vlans: readonly Vlan[]
  readonly stations: readonly Station[]
}

const MANY = 16_384
const toMedia = table('ipNetToMediaTable', '1.3.6.1.2.1.4.22.1', { mac: 2, type: 4 }, MANY)
const toPhysical = table('ipNetToPhysicalTable', '1.3.6.1.2.1.4.35.1', { mac: 4, type: 6 }, MANY)
const bridgePorts = table('dot1dBasePortTable', '1.3.6.1.2.1.17.1.4.1', { interfaceIndex: 2 })
const bridgeTable = table('dot1dTpFdbTable', '1.3.6.1.2.1.17.4.3.1', { port: 2, status: 3 }, MANY)
const vlanBridgeTable = table('dot1qTpFdbTable', '1.3.6.1.2.1.17.7.1.2.2.1', { port: 2, status: 3 }, MANY)
const vlanFilters = table('dot1qVlanCurrentTable', '1.3.6.1.2.1.17.7.1.4.2.1', { filter: 3 })
const vlanNames = table('dot1qVlanStaticTable', '1.3.6.1.2.1.17.7.1.4.3.1', { name: 1 })
const ciscoVlans = table('vtpVlanTable', '1.3.6.1.4.1.9.9.46.1.3.1.1', { name: 4 })

const INVALID = 2
const LEARNED = 3

/** Neighbours in the newer table, those of the older one where an agent has only that. */
export async function readNearby(source: Source): Promise<Nearby[]> {
  const rows = await source.rows(toPhysical)
  const found = rows.flatMap((row) => nearbyOf(row, inetAddress(row.index.slice(1))))
  if (found.length > 0) return found
  return (await source.rows(toMedia)).flatMap((row) => nearbyOf(row, address(row.index.slice(1, 5))))
}

function nearbyOf(
  { index: [interfaceIndex = 0], cells }: Row<'mac' | 'type'>,
  at: string | undefined,
): Nearby[] {
  const station = mac(cells.mac)
  if (!at || !station || cells.type === INVALID) return []
  return [{ interfaceIndex, address: at, mac: station }]
}

/** Undefined: it is no bridge. */
export async function readSwitching(source: Source, objectId = ''): Promise<Switching | undefined> {
  const { bridgeMac } = await source.scalars('bridge', { bridgeMac: '1.3.6.1.2.1.17.1.1.0' })
  const ports = new Map(
    (await source.rows(bridgePorts)).map(({ index, cells }) => [index[0], number(cells.interfaceIndex)]),
  )
  if (bridgeMac === undefined && ports.size === 0) return undefined
  const vlanOf = new Map(
    (await source.rows(vlanFilters)).map(({ index, cells }) => [number(cells.filter), index[1]]),
  )
  const withVlan = (await source.rows(vlanBridgeTable)).flatMap(({ index: [filter = 0, ...octets], cells }) =>
    stationOf(octets, cells, { ports, vlan: vlanOf.get(filter) ?? filter }),
  )
  const stations =
    withVlan.length > 0
      ? withVlan
      : (await source.rows(bridgeTable)).flatMap(({ index, cells }) => stationOf(index, cells, { ports }))
  return { bridgeMac: mac(bridgeMac), vlans: await readVlans(source, objectId), stations }
}

function stationOf(
  octets: readonly number[],
  cells: Row<'port' | 'status'>['cells'],
  { ports, vlan }: { ports: ReadonlyMap<number | undefined, number | undefined>; vlan?: number },
): Station[] {
  const station = mac(octets)
  if (!station || cells.status !== LEARNED) return []
  const interfaceIndex = ports.get(number(cells.port))
  return [{ mac: station, interfaceIndex, ...(vlan !== undefined && { vlan }) }]
}

async function readVlans(source: Source, objectId: string): Promise<Vlan[]> {
  const standard = await source.rows(vlanNames)
  const rows =
    standard.length > 0 || !objectId.startsWith('1.3.6.1.4.1.9.') ? standard : await source.rows(ciscoVlans)
  return rows.map(({ index, cells }) => ({ id: index.at(-1) ?? 0, name: line(cells.name) ?? '' }))
}
