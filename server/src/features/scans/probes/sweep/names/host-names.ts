import ipaddr from 'ipaddr.js'

const NAME_CHARACTERS_MAX = 253
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/** A last label that is a number makes the whole an IPv4 address to resolvers: `0x7f000001`, `0177.1`, `127.0x1`. */
const NUMBER = /^(\d+|0x[\da-f]*)$/i

/**
 * A name of letters, digits, hyphens and (as Windows has them) underscores, in labels (RFC 1123, 2.1). No IPv4 address
 * in any of the spellings that inet_aton(3) and the WHATWG URL Standard (ends-in-a-number checker) read.
 */
export const isHostName = (text: string): boolean =>
  text.length <= NAME_CHARACTERS_MAX &&
  text.split('.').every((label) => LABEL.test(label)) &&
  !NUMBER.test(text.split('.').at(-1) ?? '')

/** The name under which an address is looked up in reverse (RFC 1035, 3.5; RFC 3596, 2.5), in lower case. */
export function reverseName(address: string): string {
  const bytes = ipaddr.parse(address).toByteArray()
  if (bytes.length === 4) return `${bytes.toReversed().join('.')}.in-addr.arpa`
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 0xf]).toReversed()
  return `${nibbles.map((nibble) => nibble.toString(16)).join('.')}.ip6.arpa`
}

export interface Names {
  /** Of the reverse zone, fully qualified. */
  readonly dns?: string | undefined
  readonly mdns?: string | undefined
  readonly netbios?: string | undefined
}

/**
 * The best name for people: the administrator's in DNS, unless it is one of those made from the address for a
 * whole pool, then what the machine calls itself.
 */
export function bestName(names: Names, address: string): string | undefined {
  const { dns, mdns, netbios } = names
  const isMade = dns !== undefined && isMadeFrom(dns, address)
  return (isMade ? undefined : dns) ?? mdns ?? netbios ?? dns
}

/** Whether a name spells out the end of an IPv4 address, either way round: `dhcp-77-20.example.net`, `ip-10-0-77-20`. */
function isMadeFrom(name: string, address: string): boolean {
  const [third, fourth] = address.split('.').slice(-2).map(Number)
  const pairs = [...name.matchAll(/(?=(?<!\d)(\d{1,3})[-._](\d{1,3})(?!\d))/g)].map(([, a, b]) => [
    Number(a),
    Number(b),
  ])
  return pairs.some(([a, b]) => (a === third && b === fourth) || (a === fourth && b === third))
}
