import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseReceiverUrl } from '#features/webhooks/endpoints/receiver-url.ts'
import { openNet } from '#platform/egress/net.ts'

/**
 * Every special block of both IANA registries, at its edges and inside, in every spelling that a URL takes and every
 * IPv6 form that carries an IPv4 address. The oracle below knows numbers alone: it shares nothing with the policy.
 */
const net = openNet()

const words = (text: string): string[] => text.trim().split(/\s+/)

/** IANA IPv4 Special-Purpose Address Space, with multicast and Azure's and Alibaba's metadata addresses. */
const V4_BLOCKS = words(`
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 169.254.169.254/32
  100.100.100.200/32 168.63.129.16/32
`)

/** IANA IPv6 Special-Purpose Address Space; what is not 2000::/3 is special as a whole. */
const V6_BLOCKS = words(`
  ::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64
  2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48
  2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16
  fc00::/7 fd00::/8 fd00:ec2::254/128 fe80::/10 fec0::/10 ff00::/8 ::/3 4000::/3 6000::/3 8000::/1
`)

interface Block {
  readonly first: bigint
  readonly last: bigint
}

const V4_SPACE = 1n << 32n
const V6_SPACE = 1n << 128n

function numberOfV4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
}

function numberOfV6(text: string): bigint {
  const [left = '', right] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [head, tail] = [groups(left), groups(right ?? '')]
  const middle = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...middle, ...tail].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

const blockOf = (cidr: string): Block => {
  const [text = '', length = ''] = cidr.split('/')
  const isV6 = text.includes(':')
  const size = 1n << BigInt((isV6 ? 128 : 32) - Number(length))
  const first = isV6 ? numberOfV6(text) : numberOfV4(text)
  return { first, last: first + size - 1n }
}

const isIn = (blocks: readonly Block[]) => {
  return (number: bigint) => blocks.some(({ first, last }) => number >= first && number <= last)
}
const isSpecialV4 = isIn(V4_BLOCKS.map(blockOf))
const isSpecialV6 = isIn(V6_BLOCKS.map(blockOf))
const isIsatap = (number: bigint) => ((number >> 32n) & 0xfdff_ffffn) === 0x5efen

/** Whether an ordinary installation may connect there. */
const isOrdinaryV4 = (number: bigint) => !isSpecialV4(number)
const isOrdinaryV6 = (number: bigint) => !isSpecialV6(number) && !isIsatap(number)

const bytesOf = (number: bigint): number[] => [24n, 16n, 8n, 0n].map((by) => Number((number >> by) & 255n))
const dotted = (number: bigint) => bytesOf(number).join('.')
const groupsOf = (number: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16))
const fullV6 = (number: bigint) =>
  groupsOf(number)
    .map((it) => it.padStart(4, '0'))
    .join(':')
const shortV6 = (number: bigint) =>
  groupsOf(number)
    .join(':')
    .replace(/(^|:)0(:0)+(:|$)/, '::')

const swapped = (text: string, alphabet: string) =>
  text.replaceAll(/\d/g, (digit) => Array.from(alphabet)[Number(digit)] ?? digit)

/** Spellings of one IPv4 address that the URL standard reads as that address. */
const V4_SPELLINGS: Readonly<Record<string, (number: bigint) => string>> = {
  literal: dotted,
  'trailing dot': (n) => `${dotted(n)}.`,
  decimal: (n) => String(n),
  octal: (n) => `0${n.toString(8)}`,
  hexadecimal: (n) => `0x${n.toString(16)}`,
  'octal parts': (n) =>
    bytesOf(n)
      .map((it) => `0${it.toString(8)}`)
      .join('.'),
  'padded octal parts': (n) =>
    bytesOf(n)
      .map((it) => `000${it.toString(8)}`)
      .join('.'),
  'hexadecimal parts': (n) =>
    bytesOf(n)
      .map((it) => `0X${it.toString(16)}`)
      .join('.'),
  'mixed parts': (n) =>
    bytesOf(n)
      .map((it, at) => (at % 2 === 0 ? `0x${it.toString(16)}` : `0${it.toString(8)}`))
      .join('.'),
  'three parts': (n) => `${n >> 24n}.${(n >> 16n) & 255n}.${n & 0xffffn}`,
  'two parts': (n) => `${n >> 24n}.${n & 0xff_ffffn}`,
  'two hexadecimal parts': (n) => `0x${(n >> 24n).toString(16)}.0x${(n & 0xff_ffffn).toString(16)}`,
  'full-width digits': (n) => swapped(dotted(n), '０１２３４５６７８９'),
  'circled digits': (n) => swapped(dotted(n), '⓪①②③④⑤⑥⑦⑧⑨'),
  'bold digits': (n) => swapped(dotted(n), '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗'),
  'superscript digits': (n) => swapped(dotted(n), '⁰¹²³⁴⁵⁶⁷⁸⁹'),
  'ideographic dots': (n) => dotted(n).replaceAll('.', '。'),
  'full-width dots': (n) => dotted(n).replaceAll('.', '．'),
  'half-width dots': (n) => dotted(n).replaceAll('.', '｡'),
  'percent-encoded': (n) => Array.from(dotted(n), (it) => `%${it.charCodeAt(0).toString(16)}`).join(''),
  'percent-encoded dots': (n) => dotted(n).replaceAll('.', '%2E'),
}

const embed = (prefix: string, shift = 0n) => {
  return (n: bigint) => `[${shortV6(numberOfV6(prefix) | (n << shift))}]`
}

/** IPv6 forms with an IPv4 address inside, public or not: something on the way may reach it in our place. */
const EMBEDDINGS: Readonly<Record<string, (number: bigint) => string>> = {
  mapped: embed('::ffff:0:0'),
  'mapped, dotted': (n) => `[::ffff:${dotted(n)}]`,
  'mapped, in full': (n) => `[0:0:0:0:0:FFFF:${dotted(n)}]`,
  compatible: embed('::'),
  'compatible, dotted': (n) => `[::${dotted(n)}]`,
  translated: embed('::ffff:0:0:0'),
  NAT64: embed('64:ff9b::'),
  'NAT64, dotted': (n) => `[64:ff9b::${dotted(n)}]`,
  'local NAT64': embed('64:ff9b:1::'),
  '6to4': embed('2002::', 80n),
  '6to4 with a host': (n) => embed(`2002::${n.toString(16).slice(0, 4)}`, 80n)(n),
  'Teredo server': embed('2001::', 64n),
  'Teredo client': (n) => embed('2001:0:4136:e378::')(n ^ 0xffff_ffffn),
  ISATAP: embed('2606:4700::5efe:0:0'),
  'ISATAP, unique': embed('2606:4700::200:5efe:0:0'),
  'ISATAP, link local': embed('fe80::5efe:0:0'),
}

const V6_SPELLINGS: Readonly<Record<string, (number: bigint) => string>> = {
  short: (n) => `[${shortV6(n)}]`,
  full: (n) => `[${fullV6(n)}]`,
  capitals: (n) => `[${fullV6(n).toUpperCase()}]`,
  'dotted tail': (n) => `[${fullV6(n).slice(0, 30)}${dotted(n & 0xffff_ffffn)}]`,
}

interface Case {
  readonly what: string
  readonly host: string
  readonly isOrdinary: boolean
}

const spell = (
  spellings: Readonly<Record<string, (number: bigint) => string>>,
  numbers: readonly bigint[],
  isOrdinary: (number: bigint) => boolean,
): Case[] =>
  numbers.flatMap((number) =>
    Object.entries(spellings).map(([what, as]) => ({
      what,
      host: as(number),
      isOrdinary: isOrdinary(number),
    })),
  )

/** First, last, the neighbours of both, the middle, and two that a fixed seed picks. */
function looksAt(cidrs: readonly string[], space: bigint): bigint[] {
  const numbers = cidrs.map(blockOf).flatMap(({ first, last }, at) => {
    const inside = fc.sample(fc.bigInt({ min: first, max: last }), { numRuns: 2, seed: at })
    return [first - 1n, first, (first + last) / 2n, last, last + 1n, ...inside]
  })
  return [...new Set(numbers)].filter((it) => it >= 0n && it < space)
}

async function isAdmitted(host: string): Promise<boolean> {
  for (const scheme of ['http', 'https']) {
    let url: URL
    try {
      url = parseReceiverUrl(`${scheme}://${host}/hook`)
    } catch {
      return false
    }
    if ('fault' in (await net.resolveAndCheck(url))) return false
  }
  return true
}

async function mistakes(cases: readonly Case[]): Promise<string[]> {
  const judged = await Promise.all(cases.map(async (it) => ({ ...it, admitted: await isAdmitted(it.host) })))
  return judged
    .filter(({ isOrdinary, admitted }) => isOrdinary !== admitted)
    .map(({ what, host, admitted }) => `${admitted ? 'let in' : 'refused'}: ${host} (${what})`)
}

const v4 = looksAt(V4_BLOCKS, V4_SPACE)
const v6 = looksAt(V6_BLOCKS, V6_SPACE)
const hostile = [
  ...spell(V4_SPELLINGS, v4, isOrdinaryV4),
  ...spell(EMBEDDINGS, v4, () => false),
  ...spell(V6_SPELLINGS, v6, isOrdinaryV6),
]

test('special addresses are refused in every spelling, their ordinary neighbours are not', async () => {
  expect(hostile.length).toBeGreaterThan(5_000)
  expect(hostile.filter((it) => it.isOrdinary).length).toBeGreaterThan(500)
  expect(await mistakes(hostile)).toEqual([])
})

const anyOf = (space: Block, isOrdinary: (number: bigint) => boolean) =>
  fc.sample(fc.bigInt({ min: space.first, max: space.last }).filter(isOrdinary), { numRuns: 1_000, seed: 1 })

test('no ordinary public address is refused', async () => {
  const ordinary = [
    ...spell(V4_SPELLINGS, anyOf(blockOf('0.0.0.0/0'), isOrdinaryV4), () => true),
    ...spell(V6_SPELLINGS, anyOf(blockOf('2000::/3'), isOrdinaryV6), () => true),
  ]
  expect(await mistakes(ordinary)).toEqual([])
})

test.each([
  '127.0.0.1%2f',
  '127.0.0.1%00',
  '1.1.1.1%2f@127.0.0.1',
  '[::1%25eth0]',
  '[fe80::1%eth0]',
  '[::1]x',
  '256.1.1.1',
  '1.1.1.256',
  '4294967296',
  '0x100000000',
  '1.2.3.4.5',
  '1.16777216',
  '0x7f.1.1.1.1',
  '[127.0.0.1]',
  '[::ffff:127.0.0.256]',
  '[:::1]',
  '[::1::1]',
  '127.1 ',
  '127.0.0.1\\',
  '0x',
  '08.0.0.1',
  '[v1.127.0.0.1]',
  '127.0.0.1:0',
  '127.0.0.1:99999',
  'a@127.0.0.1',
  ':@127.0.0.1',
  '%5B::1%5D',
  '%',
])('%j is no address of a receiver', async (host) => {
  expect(await isAdmitted(host)).toBe(false)
})
