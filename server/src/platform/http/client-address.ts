import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type IsTrusted = (address: string) => boolean

/** One subscriber commonly has a whole /64 of IPv6 (RFC 6177 §2), so its addresses count as one. */
const IPV6_BYTES_COUNTED = 8

/** Reads CIDRs or single addresses; throws on anything else. */
export function trustedProxies(cidrs: readonly string[]): IsTrusted {
  const ranges = cidrs.map(parseRange)
  return (text) => {
    const address = parse(text)
    return address !== undefined && ranges.some(([base, bits]) => isWithin(address, base, bits))
  }
}

/**
 * Who is at the other end. Each proxy appends the address that it was called from, so the header is read from its
 * end, and only as far as those who wrote it are trusted; what stands before is anybody's claim.
 */
export function clientAddress(
  remote: string,
  forwardedFor: string | undefined,
  isTrusted: IsTrusted,
): string {
  const hops = forwardedFor?.split(',').toReversed() ?? []
  let client = remote
  for (const hop of hops) {
    const address = parse(hop)
    if (!isTrusted(client) || !address) break
    client = address.toString()
  }
  return client
}

/** The form in which an address is counted: IPv4 as it is, also when mapped into IPv6; of IPv6 the network. */
export function countedAddress(text: string): string {
  const address = parse(text)
  if (!address) return 'unknown'
  if (address.kind() === 'ipv4') return address.toString()
  const network = address.toByteArray().map((byte, n) => (n < IPV6_BYTES_COUNTED ? byte : 0))
  return `${ipaddr.fromByteArray(network).toString()}/64`
}

export function isLoopback(text: string): boolean {
  return parse(text)?.range() === 'loopback'
}

function parseRange(text: string): [Address, number] {
  try {
    const [base, bits] = ipaddr.parseCIDR(
      text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`,
    )
    return [base, bits]
  } catch {
    throw new Error(`not an address or CIDR: ${text}`)
  }
}

function isWithin(address: Address, base: Address, bits: number): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parse(text: string): Address | undefined {
  const bare = text
    .trim()
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
  // the four-part form alone: `isValid` would take 127.1 and 0x7f.0.0.1 for addresses too
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined
  return ipaddr.process(bare)
}
