import { isIP } from 'node:net'
import type { Content, Row } from '../messages/message.ts'

const LIST_MAX = 200
/**
 * Made by software on the machine: bridges and pairs of containers, tunnels. Their addresses are the same on many machines,
 * or new at each start, and identify nothing.
 */
const MADE =
  /^(lo\d*$|docker|br-|veth|virbr|vnet|tap|tun|utun|wg|cni|flannel|cali|kube|nodelocaldns|lxcbr|lxdbr|podman|dummy|ifb|sit|gre|ip6|teql|vxlan|awdl|llw|zt|tailscale|vmnet|vboxnet)/i
const MAC = /^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i
/** Loopback, link-local and the addresses that mean none. */
const NO_ADDRESS = /^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe80:)/i

export interface InterfaceFact {
  readonly name: string
  readonly mac: string
  readonly addresses: readonly string[]
}

/** MAC and IP addresses that stand for the machine, and all interfaces with their addresses. */
export function interfacesIn(content: Content): {
  readonly macs: readonly string[]
  readonly addresses: readonly string[]
  readonly interfaces: readonly InterfaceFact[]
} {
  const rows = content.get('networks') ?? []
  const own = rows.filter((row) => !isMade(row))
  const macs = own.filter((row) => row.get('virtualdev') !== '1').flatMap(macOf)
  const byName = Map.groupBy(rows, nameOf)
  return {
    macs: [...new Set(macs)].slice(0, LIST_MAX),
    addresses: [...new Set(own.flatMap(addressesOf))].filter((it) => !NO_ADDRESS.test(it)).slice(0, LIST_MAX),
    interfaces: [...byName].slice(0, LIST_MAX).map(([name, all]) => ({
      name,
      mac: all.flatMap(macOf)[0] ?? '',
      addresses: [...new Set(all.flatMap(addressesOf))],
    })),
  }
}

const nameOf = (row: Row): string => row.get('description') ?? ''

const isMade = (row: Row): boolean => MADE.test(nameOf(row)) || row.get('type') === 'loopback'

/** Zeros are what loopback and down interfaces have. */
function macOf(row: Row): string[] {
  const mac = row.get('mac') ?? row.get('macaddr') ?? ''
  return MAC.test(mac) && !/^(00[:-]){5}00$/.test(mac) ? [mac.toLowerCase().replaceAll('-', ':')] : []
}

const addressesOf = (row: Row): string[] =>
  ['ipaddress', 'ipaddress6']
    .flatMap((field) => (row.get(field) ?? '').split(/[,/ ]+/))
    .filter((it) => isIP(it) !== 0)
