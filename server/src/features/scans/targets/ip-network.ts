import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** At most this many bits of an address may vary in one range: 65,536 addresses, an IPv4 /16 or an IPv6 /112. */
export const HOST_BITS_MAX = 16

/** A range of addresses that can be walked through. */
export interface Network {
  /** Canonical: host bits cleared, IPv6 as in RFC 5952. */
  readonly cidr: string
  readonly family: 4 | 6
  /** How many addresses `addresses` gives. */
  readonly size: number
  /** The first and the last of `addresses`. */
  readonly ends: readonly [string, string]
  /** In order, the first and the last too: a range may be a slice of a larger network, where they are machines. */
  readonly addresses: () => Iterable<string>
}

/** Reads `address/prefix`; answers the reason in words when it is not a range that can be swept. */
export function parseNetwork(text: string): Network | string {
  const [, address = '', bits = ''] = /^([0-9A-Fa-f.:]+)\/(\d{1,3})$/.exec(text.trim()) ?? []
  if (isIP(address) === 0) return 'must be a range such as 192.0.2.0/24 or 2001:db8::/112'
  const family = isIPv4(address) ? 4 : 6
  const width = family === 4 ? 32 : 128
  const prefix = Number(bits)
  if (prefix > width) return `the prefix of an IPv${family} range is at most /${width}`
  if (prefix < width - HOST_BITS_MAX) {
    return `the range is too large: at most 65,536 addresses, /${width - HOST_BITS_MAX} or longer for IPv${family}`
  }
  return unfit(address) ?? networkOf(ipaddr.parse(address).toByteArray(), prefix)
}

/** Reads one address into its canonical form; answers `undefined` when it is none. */
export function parseAddress(text: string): string | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text).toString()
}

/** Why no single machine can be reached at this address; `undefined` when one can. */
export function unfit(address: string): string | undefined {
  const kind = ipaddr.parse(address).range()
  if (CROWDS.has(kind)) return `${kind} addresses belong to no single machine`
  if (kind === 'ipv4Mapped') return 'write an IPv4-mapped address as IPv4'
  if (kind === 'linkLocal' && !isIPv4(address))
    return 'IPv6 link-local addresses mean nothing without an interface'
  return undefined
}

const CROWDS: ReadonlySet<string> = new Set(['multicast', 'broadcast', 'unspecified'])

/** The network of one address. */
export const single = (address: string): Network | string =>
  parseNetwork(`${address}/${isIPv4(address) ? 32 : 128}`)

function networkOf(bytes: number[], prefix: number): Network {
  const hostBits = bytes.length * 8 - prefix
  const count = 2 ** hostBits
  const head = bytes.slice(0, -2)
  const tail = ((bytes.at(-2) ?? 0) << 8) | (bytes.at(-1) ?? 0)
  const first = tail - (tail % count)
  const at = (offset: number): string => {
    const low = first + offset
    return ipaddr.fromByteArray([...head, low >> 8, low & 0xff]).toString()
  }
  return {
    cidr: `${at(0)}/${prefix}`,
    family: bytes.length === 4 ? 4 : 6,
    size: count,
    ends: [at(0), at(count - 1)],
    *addresses() {
      for (let offset = 0; offset < count; offset++) yield at(offset)
    },
  }
}
