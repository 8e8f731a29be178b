import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { HOST_BITS_MAX, unfit, type Network } from './ip-network.ts'

/** Addresses of one family from `first` to `last`, both included, as numbers. */
export interface AddressSpan {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

const WIDTH = { 4: 32, 6: 128 } as const
const BLOCK_BITS = BigInt(HOST_BITS_MAX)

/**
 * Reads `address/prefix`, `address-address`, `address-lastOctet` (IPv4) or one address; `undefined` for other text, which
 * may be a host name, and the reason in words for addresses that cannot be looked at.
 */
export function parseSpan(text: string): AddressSpan | string | undefined {
  const [, base = '', bits] = /^([^/]*)\/(.*)$/.exec(text) ?? []
  if (bits !== undefined) return networkSpan(base, bits)
  const [, from = '', to] = /^([0-9A-Fa-f.:]+)-([0-9A-Fa-f.:]+)$/.exec(text) ?? []
  if (to !== undefined && isIP(from) !== 0) return rangeSpan(from, to)
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const fault = unfit(text)
  return fault ?? spanOf(text, text)
}

export const spanSize = ({ first, last }: AddressSpan): number => Number(last - first + 1n)

export const addressAt = (family: 4 | 6, value: bigint): string => {
  const bytes = Array.from({ length: WIDTH[family] / 8 }, (_, n) =>
    Number((value >> BigInt(WIDTH[family] - 8 * (n + 1))) & 0xffn),
  )
  return ipaddr.fromByteArray(bytes).toString()
}

/** As people write it: one address, or the first and the last. */
export const spanText = ({ family, first, last }: AddressSpan): string =>
  first === last ? addressAt(family, first) : `${addressAt(family, first)}-${addressAt(family, last)}`

/** The fewest networks that together are exactly the span. */
export function cidrsOf({ family, first, last }: AddressSpan): string[] {
  const networks: string[] = []
  for (let at = first; at <= last;) {
    let bits = 0
    while (bits < WIDTH[family] && isNetwork(at, bits + 1) && at + (1n << BigInt(bits + 1)) - 1n <= last)
      bits += 1
    networks.push(`${addressAt(family, at)}/${WIDTH[family] - bits}`)
    at += 1n << BigInt(bits)
  }
  return networks
}

/** Whether a network with so many free bits begins here. */
const isNetwork = (at: bigint, bits: number): boolean => at % (1n << BigInt(bits)) === 0n

/** The addresses of `spans` that are in none of `without`: in order, each once, IPv4 first. */
export function spansWithout(
  spans: readonly AddressSpan[],
  without: readonly AddressSpan[] = [],
): AddressSpan[] {
  const holes = merged(without)
  return merged(spans).flatMap((span) => {
    const left: AddressSpan[] = []
    let { first } = span
    for (const hole of holes) {
      if (hole.family !== span.family || hole.last < first || hole.first > span.last) continue
      if (hole.first > first) left.push({ ...span, first, last: hole.first - 1n })
      first = hole.last + 1n
    }
    return first > span.last ? left : [...left, { ...span, first }]
  })
}

/** Whether every address of `span` is one of `spans`. */
export const isWithin = (span: AddressSpan, spans: readonly AddressSpan[]): boolean =>
  spansWithout([span], spans).length === 0

/** The address as a span of its own; `undefined` for what is no address. */
export const spanOfAddress = (address: string): AddressSpan | undefined =>
  isIP(address) === 0 || address.includes('%') ? undefined : spanOf(address, address)

/** All addresses of `address/prefix`, whether they can be looked at or not; `undefined` for what is no network. */
export function spanOfNetwork(cidr: string): AddressSpan | undefined {
  const [, base = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(cidr) ?? []
  if (isIP(base) === 0 || Number(bits) > WIDTH[isIPv4(base) ? 4 : 6]) return undefined
  return spanAround(base, Number(bits))
}

/**
 * The spans as networks that can be swept one after the other: those that share a block of 65,536 addresses are one
 * network, whose `cidr` is the smallest that covers them.
 */
export function networksOfSpans(spans: readonly AddressSpan[]): Network[] {
  const blocks = Map.groupBy(
    spansWithout(spans).flatMap(byBlock),
    ({ family, first }) => `${family} ${first >> BLOCK_BITS}`,
  )
  return [...blocks.values()].map(networkOfBlock)
}

function networkOfBlock(parts: readonly AddressSpan[]): Network {
  const [head] = parts
  const tail = parts.at(-1)
  if (!head || !tail) throw new Error('a block without addresses')
  const { family, first } = head
  return {
    cidr: coveringCidr(family, first, tail.last),
    family,
    size: parts.reduce((sum, part) => sum + spanSize(part), 0),
    ends: [addressAt(family, first), addressAt(family, tail.last)],
    *addresses() {
      for (const part of parts)
        for (let value = part.first; value <= part.last; value++) yield addressAt(family, value)
    },
  }
}

function coveringCidr(family: 4 | 6, first: bigint, last: bigint): string {
  const free = (first ^ last).toString(2).replace(/^0$/, '').length
  const base = (first >> BigInt(free)) << BigInt(free)
  return `${addressAt(family, base)}/${WIDTH[family] - free}`
}

/** Cut where a block of 65,536 addresses ends. */
function byBlock(span: AddressSpan): AddressSpan[] {
  const parts: AddressSpan[] = []
  for (let { first } = span; first <= span.last;) {
    const end = (((first >> BLOCK_BITS) + 1n) << BLOCK_BITS) - 1n
    const last = end < span.last ? end : span.last
    parts.push({ ...span, first, last })
    first = last + 1n
  }
  return parts
}

function merged(spans: readonly AddressSpan[]): AddressSpan[] {
  const result: AddressSpan[] = []
  for (const span of spans.toSorted(inOrder)) {
    const before = result.at(-1)
    if (before?.family !== span.family || span.first > before.last + 1n) result.push(span)
    else if (span.last > before.last) result[result.length - 1] = { ...before, last: span.last }
  }
  return result
}

function inOrder(a: AddressSpan, b: AddressSpan): number {
  if (a.family !== b.family) return a.family - b.family
  if (a.first === b.first) return 0
  return a.first < b.first ? -1 : 1
}

function networkSpan(base: string, bits: string): AddressSpan | string {
  if (isIP(base) === 0 || base.includes('%') || !/^\d{1,3}$/.test(bits))
    return 'must be a range such as 192.0.2.0/24 or 2001:db8::/112'
  const family = isIPv4(base) ? 4 : 6
  if (Number(bits) > WIDTH[family]) return `the prefix of an IPv${family} range is at most /${WIDTH[family]}`
  return unfit(base) ?? spanAround(base, Number(bits))
}

function spanAround(base: string, prefix: number): AddressSpan {
  const family = isIPv4(base) ? 4 : 6
  const free = BigInt(WIDTH[family] - prefix)
  const first = (valueOf(base) >> free) << free
  return { family, first, last: first + (1n << free) - 1n }
}

function rangeSpan(from: string, to: string): AddressSpan | string {
  const isOctet = isIPv4(from) && /^\d{1,3}$/.test(to)
  const end = isOctet ? from.replace(/\d+$/, to) : to
  if (isIP(end) !== isIP(from))
    return 'must end with an address of the same family, or the last number of one'
  const span = spanOf(from, end)
  if (span.last < span.first) return 'ends before it begins'
  return unfit(from) ?? unfit(end) ?? span
}

const spanOf = (from: string, to: string): AddressSpan => ({
  family: isIPv4(from) ? 4 : 6,
  first: valueOf(from),
  last: valueOf(to),
})

const valueOf = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
