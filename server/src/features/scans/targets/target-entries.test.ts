import { expect, test } from 'vitest'
import { Refusal } from '#platform/errors.ts'
import { networksOfSpans } from './address-span.ts'
import { checkedEntries, readEntries, reachesFurther } from './target-entries.ts'
import { checkedTarget } from './target.ts'

const addresses = (entries: readonly string[], exclusions: readonly string[] = []): string[] =>
  networksOfSpans(readEntries({ entries, exclusions }).spans).flatMap((it) => [...it.addresses()])

test('networks, ranges, addresses and names are kept in canonical form, each once', () => {
  const entries = [
    ' 10.0.0.9/30 ',
    '10.0.1.5-7',
    '10.0.1.5-10.0.1.7',
    '2001:DB8::0:1',
    'Printer-2.Example.',
    '10.0.2.1-1',
  ]
  expect(checkedEntries(entries, ['10.0.0.8'])).toEqual({
    entries: ['10.0.0.8/30', '10.0.1.5-10.0.1.7', '2001:db8::1', 'printer-2.example', '10.0.2.1'],
    exclusions: ['10.0.0.8'],
  })
})

test.each<[string[], string[], string, string]>([
  [['10.0.0.0/24', '10.0.0.300'], [], 'entries[1]', '10.0.0.300'],
  [['10.0.0.9-5'], [], 'entries[0]', 'ends before it begins'],
  [['10.0.0.1-2001:db8::1'], [], 'entries[0]', 'same family'],
  [['10.0.0.0/33'], [], 'entries[0]', 'at most /32'],
  [['10.0.0.0/8'], [], 'entries[0]', 'at most 65,536'],
  [['fe80::1'], [], 'entries[0]', 'interface'],
  [['http://x/'], [], 'entries[0]', 'must be'],
  [['10.0.0.1'], ['10.0.0.0/8 '], 'exclusions', 'no address'],
  [['10.0.0.1'], ['a b'], 'exclusions[0]', 'a b'],
  [['db.example'], ['db.example'], 'exclusions', 'no address'],
  [[], [], 'entries', 'at least one'],
  [Array.from({ length: 257 }, (_, n) => `10.0.0.${n % 256}`), [], 'entries', '256'],
  [Array.from({ length: 17 }, (_, n) => `10.${n}.0.0/16`), [], 'entries', '1,048,576'],
])('%j without %j is refused and names %s', (entries, exclusions, field, reason) => {
  const act = () => checkedEntries(entries, exclusions)
  expect(act).toThrow(Refusal)
  expect(act).toThrow(`${field}: `)
  expect(act).toThrow(reason)
})

test('what is looked at is each address once, in order, without what is excluded', () => {
  expect(addresses(['10.0.0.4/30', '10.0.0.6-9', '10.0.0.1'], ['10.0.0.5', '10.0.0.8/31'])).toEqual([
    '10.0.0.1',
    '10.0.0.4',
    '10.0.0.6',
    '10.0.0.7',
  ])
  expect(addresses(['10.0.255.254-10.1.0.1'])).toEqual([
    '10.0.255.254',
    '10.0.255.255',
    '10.1.0.0',
    '10.1.0.1',
  ])
  expect(addresses(['2001:db8::fffe-2001:db8::1:1', '10.0.0.1'])).toEqual([
    '10.0.0.1',
    '2001:db8::fffe',
    '2001:db8::ffff',
    '2001:db8::1:0',
    '2001:db8::1:1',
  ])
})

test('entries of one block of 65,536 are swept as one network, whose cidr covers them', () => {
  const spans = readEntries({ entries: ['10.0.0.1', '10.0.3.0/24', '10.9.0.0/16'], exclusions: [] }).spans
  expect(networksOfSpans(spans).map(({ cidr, size }) => [cidr, size])).toEqual([
    ['10.0.0.0/22', 257],
    ['10.9.0.0/16', 65_536],
  ])
})

test.each<[string[], string[], string[], string[], boolean]>([
  [['10.0.0.0/24'], [], ['10.0.0.7'], [], false],
  [['10.0.0.0/24'], [], ['10.0.0.250-10.0.1.0'], [], true],
  [['10.0.0.0/24'], ['10.0.0.9'], ['10.0.0.0/24'], [], true],
  [['10.0.0.0/24'], [], ['10.0.0.0/24', 'db.example'], [], true],
  [['db.example', '10.0.0.1'], [], ['db.example'], [], false],
  [['db.example'], ['10.0.0.1'], ['db.example'], [], true],
])(
  'from %j without %j to %j without %j reaches further: %s',
  (...[entries, exclusions, then, without, isFurther]) => {
    expect(reachesFurther({ entries, exclusions }, { entries: then, exclusions: without })).toBe(isFurther)
  },
)

test('one network or one host is the kind of target that it always was', () => {
  const kindOf = (entries: string[], exclusions: string[] = []) =>
    checkedTarget({ name: 'x', entries, exclusions }).kind
  expect(kindOf(['10.0.0.0/24'])).toBe('cidr')
  expect(kindOf(['10.0.0.1'])).toBe('host')
  expect(kindOf(['web-1.example'])).toBe('host')
  expect(kindOf(['10.0.0.1-3'])).toBe('range')
  expect(kindOf(['10.0.0.0/24'], ['10.0.0.1'])).toBe('range')
  expect(checkedTarget({ name: 'x', entries: ['10.0.0.1', 'b'] }).address).toBe('10.0.0.1, b')
})
