import { BlockList } from 'node:net'
import type { NetworkInterfaceInfo } from 'node:os'

/** What this machine's own interfaces say about an address: own, on a local link, or neither. */
export interface Interfaces {
  /** This machine itself; `mac` is absent for the loopback. */
  readonly own: (address: string) => { readonly mac?: string } | undefined
  /** In a network that one of the interfaces is attached to, so address resolution tells whether it lives. */
  readonly isOnLink: (address: string) => boolean
  /** The own IPv4 addresses on links that share addresses with the range. */
  readonly linksOf: (cidr: string) => readonly string[]
}

/** `found` is the answer of `os.networkInterfaces()`. */
export function readInterfaces(found: NodeJS.Dict<NetworkInterfaceInfo[]>): Interfaces {
  const all = Object.values(found).flatMap((some) => some ?? [])
  const external = all.filter((it) => !it.internal)
  const cidrs = external.flatMap((it) => it.cidr ?? [])
  const own = new Map(all.map((it) => [it.address, it.internal ? {} : { mac: it.mac }]))
  return {
    own: (address) => own.get(address),
    isOnLink: isWithin(cidrs),
    linksOf: (cidr) => {
      const isInRange = isWithin([cidr])
      const [start = ''] = cidr.split('/')
      const links = external.filter((it) => it.family === 'IPv4' && it.cidr !== null)
      return links
        .filter((it) => isInRange(it.address) || isWithin([it.cidr ?? ''])(start))
        .map((it) => it.address)
    },
  }
}

function isWithin(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const [address = '', prefix] of cidrs.map((it) => it.split('/'))) {
    list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return (address) => list.check(address, familyOf(address))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')
