import type { Row, Source } from './table.ts'
import { table } from './table.ts'
import { address, inetAddress, number, oidOf } from '../protocol/textual-conventions.ts'

/** An address of the device, of IP-MIB (RFC 4293, and its predecessors). */
export interface OwnAddress {
  readonly address: string
  readonly prefix?: number | undefined
  readonly interfaceIndex?: number | undefined
}

const ipAddressTable = table('ipAddressTable', '1.3.6.1.2.1.4.34.1', {
  interfaceIndex: 3,
  type: 4,
  prefix: 5,
})
const ipAddrTable = table('ipAddrTable', '1.3.6.1.2.1.4.20.1', { interfaceIndex: 2, mask: 3 })
const ipv6AddrTable = table('ipv6AddrAddress', '1.3.6.1.2.1.55.1.8.1', { prefix: 2 })
/** Addresses that several routers pass among them: VRRP (RFC 2787, RFC 6527) and Cisco's HSRP. */
const vrrp = table('vrrpAssoIpAddrTable', '1.3.6.1.2.1.68.1.4.1', { status: 2 })
const vrrp3 = table('vrrpv3AssociatedIpAddrTable', '1.3.6.1.2.1.207.1.1.2.1', { status: 2 })
const hsrp = table('cHsrpGrpTable', '1.3.6.1.4.1.9.9.106.1.2.1.1', { virtual: 11 })

const UNICAST = 1

export async function readAddresses(source: Source): Promise<OwnAddress[]> {
  const found = new Map<string, OwnAddress>()
  const add = (it: OwnAddress | undefined): void => {
    if (it) found.set(it.address, { ...it, prefix: it.prefix ?? found.get(it.address)?.prefix })
  }
  for (const row of await source.rows(ipAddrTable)) add(oldAddress(row))
  for (const row of await source.rows(ipAddressTable)) add(newAddress(row))
  if (![...found.keys()].some((it) => it.includes(':')))
    for (const row of await source.rows(ipv6AddrTable)) add(sixthAddress(row))
  return [...found.values()]
}

/** They belong to no device for good. */
export async function readVirtualAddresses(source: Source, objectId = ''): Promise<Set<string>> {
  const isCisco = objectId.startsWith('1.3.6.1.4.1.9.')
  const found = [
    ...(await source.rows(vrrp)).map(({ index }) => address(index.slice(2))),
    ...(await source.rows(vrrp3)).map(({ index }) => inetAddress([index[2] ?? 0, ...index.slice(3)])),
    ...(isCisco ? await source.rows(hsrp) : []).map(({ cells }) =>
      Buffer.isBuffer(cells.virtual) ? address(cells.virtual) : undefined,
    ),
  ]
  return new Set(found.filter((it) => it !== undefined))
}

function oldAddress({ index, cells }: Row<'interfaceIndex' | 'mask'>): OwnAddress | undefined {
  const read = address(index.slice(0, 4))
  const mask = Buffer.isBuffer(cells.mask) && cells.mask.length === 4 ? cells.mask.readUInt32BE() : undefined
  return read === undefined
    ? undefined
    : { address: read, interfaceIndex: number(cells.interfaceIndex), prefix: ones(mask) }
}

function newAddress({ index, cells }: Row<'interfaceIndex' | 'type' | 'prefix'>): OwnAddress | undefined {
  const read = inetAddress(index)
  if (!read || (number(cells.type) ?? UNICAST) !== UNICAST) return undefined
  // the row of ipAddressPrefixTable that it points to ends with the length
  const pointer = oidOf(cells.prefix) ?? []
  const prefix = pointer.length > 2 ? pointer.at(-1) : undefined
  return { address: read, interfaceIndex: number(cells.interfaceIndex), prefix }
}

function sixthAddress({ index, cells }: Row<'prefix'>): OwnAddress | undefined {
  const read = address(index.slice(1).slice(-16))
  return read === undefined
    ? undefined
    : { address: read, interfaceIndex: index[0], prefix: number(cells.prefix) }
}

/** Of a mask without gaps. */
function ones(mask: number | undefined): number | undefined {
  if (mask === undefined) return undefined
  const length = Math.clz32(~mask)
  return length === 32 || mask << length === 0 ? length : undefined
}
