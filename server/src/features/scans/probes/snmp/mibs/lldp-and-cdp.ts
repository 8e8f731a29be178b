import type { Interface } from './if-mib.ts'
import type { Oid } from '../protocol/oid.ts'
import type { Row, Source } from './table.ts'
import { table } from './table.ts'
import { address, given, line, mac, number } from '../protocol/textual-conventions.ts'
import type { Value } from '../protocol/pdu.ts'

/** A device at the other end of a cable, as it introduced itself: an edge of the topology. */
export interface Neighbour {
  readonly by: 'lldp' | 'cdp'
  /** The own end, as the device names it. */
  readonly localInterface?: string
  readonly localIndex?: number
  readonly remoteChassis?: string
  readonly remoteInterface?: string
  readonly remoteInterfaceAlias?: string
  readonly remoteName?: string
  readonly remoteText?: string
  readonly remotePlatform?: string
  readonly remoteAddresses?: readonly string[]
}

/** LLDP-MIB (IEEE 802.1AB-2005). */
export interface Lldp {
  /** What this device calls itself towards others; only a MAC address is good for recognising it elsewhere. */
  readonly chassisMac?: string | undefined
  readonly neighbours: readonly Neighbour[]
}

const localPorts = table('lldpLocPortTable', '1.0.8802.1.1.2.1.3.7.1', { subtype: 2, id: 3, descr: 4 })
const remotes = table('lldpRemTable', '1.0.8802.1.1.2.1.4.1.1', {
  chassisSubtype: 4,
  chassis: 5,
  portSubtype: 6,
  port: 7,
  portDescr: 8,
  name: 9,
  descr: 10,
})
const managed = table('lldpRemManAddrTable', '1.0.8802.1.1.2.1.4.2.1', { subtype: 3 })
const cdpCache = table('cdpCacheTable', '1.3.6.1.4.1.9.9.23.1.2.1.1', {
  address: 4,
  version: 5,
  device: 6,
  port: 7,
  platform: 8,
})

/** LldpChassisIdSubtype and LldpPortIdSubtype have these at different numbers. */
const CHASSIS_KINDS = { mac: 4, address: 5 }
const PORT_KINDS = { mac: 3, address: 4 }

export async function readLldp(source: Source, interfaces: readonly Interface[]): Promise<Lldp> {
  const own = await source.scalars('lldp', {
    subtype: '1.0.8802.1.1.2.1.3.1.0',
    chassis: '1.0.8802.1.1.2.1.3.2.0',
  })
  const chassisMac = own.subtype === CHASSIS_KINDS.mac ? mac(own.chassis) : undefined
  const rows = await source.rows(remotes)
  if (rows.length === 0) return { chassisMac, neighbours: [] }
  const ports = new Map((await source.rows(localPorts)).map(({ index, cells }) => [index[0], cells]))
  const addresses = Map.groupBy(await source.rows(managed), ({ index }) => keyOf(index))
  return {
    chassisMac,
    neighbours: rows.map((row) => {
      const local = ports.get(row.index[1])
      const at = (addresses.get(keyOf(row.index)) ?? []).map(({ index }) => managementAddress(index))
      return {
        by: 'lldp',
        localInterface: localName(local, interfaces) ?? String(row.index[1]),
        ...remoteOf(row),
        ...some(at.filter((it) => it !== undefined)),
      }
    }),
  }
}

/** As IF-MIB names it, whichever way LLDP speaks of the port: by name, by address, or by what people call it. */
function localName(
  port: Row<keyof typeof localPorts.columns>['cells'] | undefined,
  interfaces: readonly Interface[],
): string | undefined {
  const id = idText(port?.id, number(port?.subtype), PORT_KINDS)
  const descr = line(port?.descr)
  const named = interfaces.find(({ name }) => name === id || name === descr)
  const known = named ?? interfaces.find((it) => it.mac !== undefined && it.mac === id)
  return known?.name ?? descr ?? id
}

function remoteOf({ cells }: Row<keyof typeof remotes.columns>) {
  return given({
    remoteChassis: idText(cells.chassis, number(cells.chassisSubtype), CHASSIS_KINDS),
    remoteInterface: idText(cells.port, number(cells.portSubtype), PORT_KINDS),
    remoteInterfaceAlias: line(cells.portDescr),
    remoteName: line(cells.name),
    remoteText: line(cells.descr),
  })
}

/** Time, local port and number of the neighbour. */
const keyOf = (index: Oid): string => index.slice(0, 3).join('.')

/** Behind the key: the family (1 is IPv4, 2 IPv6), the length, the address. */
const managementAddress = (index: Oid): string | undefined => address(index.slice(5, 5 + (index[4] ?? 0)))

const some = (addresses: readonly string[]) => (addresses.length > 0 ? { remoteAddresses: addresses } : {})

function idText(
  value: Value | undefined,
  subtype: number | undefined,
  kinds: { readonly mac: number; readonly address: number },
): string | undefined {
  if (!Buffer.isBuffer(value)) return undefined
  if (subtype === kinds.mac) return mac(value) ?? value.subarray(0, 64).toString('hex')
  // the family stands in front
  if (subtype === kinds.address) return address(value.subarray(1)) ?? line(value)
  return line(value)
}

/** CISCO-CDP-MIB. */
export async function readCdp(source: Source): Promise<Neighbour[]> {
  return (await source.rows(cdpCache)).map(({ index, cells }) => ({
    by: 'cdp',
    ...given({
      localIndex: index[0],
      remoteChassis: line(cells.device),
      remoteName: line(cells.device),
      remoteInterface: line(cells.port),
      remoteText: line(cells.version),
      remotePlatform: line(cells.platform),
    }),
    ...some(Buffer.isBuffer(cells.address) ? [address(cells.address)].filter((it) => it !== undefined) : []),
  }))
}
