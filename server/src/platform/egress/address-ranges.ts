import { BlockList, isIP } from 'node:net'

/** Named address ranges of one family, asked as a whole. */
export interface Ranges {
  /** The name of the range that holds `ip`, the first of the table; a literal of the other family is in none. */
  readonly nameOf: (ip: string) => string | undefined
}

type Row = readonly [cidr: string, name: string]

/** Every row of one table must be of one family. */
export function ranges(rows: readonly Row[]): Ranges {
  const singly = rows.map(([cidr, name]) => ({ name, list: listOf([cidr]) }))
  const family = isIP(rows[0]?.[0].split('/')[0] ?? '')
  const all = listOf(rows.map(([cidr]) => cidr))
  return {
    nameOf(ip) {
      // BlockList finds IPv4-mapped addresses in IPv4 ranges, so the family is compared first.
      if (isIP(ip) !== family || !all.check(ip, familyName(ip))) return undefined
      return singly.find(({ list }) => list.check(ip, familyName(ip)))?.name
    },
  }
}

function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/')
    list.addSubnet(address, Number(prefix), familyName(address))
  }
  return list
}

const familyName = (ip: string): 'ipv4' | 'ipv6' => (isIP(ip) === 4 ? 'ipv4' : 'ipv6')

/** IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), multicast (RFC 5771) and class E. */
export const SPECIAL_IPV4 = ranges([
  ['0.0.0.0/8', 'this network (RFC 791)'],
  ['10.0.0.0/8', 'private use (RFC 1918)'],
  ['100.64.0.0/10', 'shared address space (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link local (RFC 3927)'],
  ['172.16.0.0/12', 'private use (RFC 1918)'],
  ['192.0.0.0/24', 'IETF protocol assignments (RFC 6890)'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.31.196.0/24', 'AS112 (RFC 7535)'],
  ['192.52.193.0/24', 'AMT (RFC 7450)'],
  ['192.88.99.0/24', '6to4 relay anycast (RFC 7526)'],
  ['192.168.0.0/16', 'private use (RFC 1918)'],
  ['192.175.48.0/24', 'AS112 (RFC 7534)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['240.0.0.0/4', 'reserved (RFC 1112), limited broadcast (RFC 8190)'],
])

/** All of today's global unicast; outside lie loopback, unique local, link local, multicast and the unassigned. */
export const GLOBAL_UNICAST_IPV6 = ranges([['2000::/3', 'global unicast (RFC 4291)']])

/** IANA IPv6 Special-Purpose Address Registry, as far as it lies inside global unicast. */
export const SPECIAL_IPV6 = ranges([
  ['2001::/23', 'IETF protocol assignments (RFC 2928)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['2620:4f:8000::/48', 'AS112 (RFC 7534)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
])

/** IPv6 forms that embed an IPv4 address (NAT64, 6to4, Teredo): a gateway would connect to that address for us. */
export const TUNNELS = ranges([
  ['::ffff:0:0/96', 'IPv4-mapped (RFC 4291)'],
  ['::ffff:0:0:0/96', 'IPv4-translated (RFC 2765)'],
  ['64:ff9b::/96', 'NAT64 (RFC 6052)'],
  ['64:ff9b:1::/48', 'local-use NAT64 (RFC 8215)'],
  ['2001::/32', 'Teredo (RFC 4380)'],
  ['2002::/16', '6to4 (RFC 3056)'],
  ['::/96', 'IPv4-compatible (RFC 4291)'],
])
