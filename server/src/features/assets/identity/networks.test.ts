import fc from 'fast-check'
import { expect, test } from 'vitest'
import { candidatePair, cluster } from './identity.ts'
import type { MatchRecord } from './match-record.ts'
import { MINUTE, recordOf, type Circumstances } from './match-records.fixture.ts'
import { allShared } from './shared-identifier-values.ts'

/** One address in two networks is two machines. */

const DAY = 24 * 60 * MINUTE
const CARD = '00:25:90:10:00:01'
const GUEST = '00:50:56:9a:01:02'
const RANDOM = 'da:a1:19:00:00:01'
const HERE = { scope: 'site:here' }
const THERE = { scope: 'site:there' }
const AGENT = { isAnywhere: true }

const clustersOf = (...matchRecords: MatchRecord[]): string[][] =>
  cluster({ matchRecords, constraints: [], shared: new Set(allShared(matchRecords).keys()) })
    .map(({ members }) => members.map(({ key }) => key))
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

const pair = (values: Record<string, string[]>, one: Circumstances, other: Circumstances): MatchRecord[] => [
  recordOf('a', values, one),
  recordOf('b', values, other),
]

test.each([
  ['an address', { ip: ['10.0.0.5'] }],
  ['a MAC address', { mac: [CARD] }],
  ['both', { mac: [CARD], ip: ['10.0.0.5'] }],
  ['both and a bare name', { mac: [CARD], ip: ['10.0.0.5'], hostname: ['gateway1'] }],
  ['a random MAC address and a name', { mac: [RANDOM], hostname: ['annas-phone'] }],
  [
    'what an image carries, at the same address',
    { machine_id: ['a1b2'], hostname: ['golden'], ip: ['10.0.0.5'] },
  ],
])('scans into two networks see two machines, whatever they share of %s', (_, values) => {
  expect(clustersOf(...pair(values, HERE, THERE))).toEqual([['a'], ['b']])
  expect(clustersOf(...pair(values, HERE, {}))).toEqual([['a'], ['b']])
})

test('scans into one network see one machine', () => {
  const values = { mac: [CARD], ip: ['10.0.0.5'] }
  expect(clustersOf(...pair(values, HERE, HERE))).toEqual([['a', 'b']])
})

test('a serial is of one machine in any network', () => {
  const values = { serial: ['PF0ABC12'], ip: ['10.0.0.5'] }
  expect(clustersOf(...pair(values, HERE, THERE))).toEqual([['a', 'b']])
})

test.each([
  ['its network card and address', { mac: [CARD], ip: ['10.0.0.5'] }, true],
  ['the card of a guest and its address', { mac: [GUEST], ip: ['10.0.0.5'] }, true],
  ['a random MAC address and its address', { mac: [RANDOM], ip: ['10.0.0.5'] }, false],
  ['its address', { ip: ['10.0.0.5'] }, false],
])('an agent is found in the network of a site by %s: %s', (_, values, isOne) => {
  const agent = recordOf('a', { ...values, agent_key: ['k1'] }, AGENT)
  expect(clustersOf(agent, recordOf('b', values, HERE))).toHaveLength(isOne ? 1 : 2)
})

test('of two machines at two sites that have the MAC address of an agent at once, one at most is the agent’s', () => {
  const values = { mac: [CARD], ip: ['10.0.0.5'] }
  const records = [
    recordOf('agent', { ...values, agent_key: ['k1'] }, { ...AGENT, until: DAY }),
    recordOf('here', values, { ...HERE, until: DAY }),
    recordOf('there', values, { ...THERE, until: DAY }),
  ]
  expect(clustersOf(...records)).toHaveLength(2)
  const [agent, , there] = records
  expect(agent && there && candidatePair(agent, there, new Set())).toBeDefined()
})

test('a notebook with an agent that went to another site is one', () => {
  const at = (ip: string) => ({ mac: [CARD], ip: [ip], hostname: ['notebook-7'] })
  expect(
    clustersOf(
      recordOf('agent', { ...at('10.0.0.5'), agent_key: ['k1'] }, { ...AGENT, until: 9 * DAY }),
      recordOf('here', at('10.0.0.5'), { ...HERE, until: 2 * DAY }),
      recordOf('there', at('10.0.0.5'), { ...THERE, from: 5 * DAY, until: 9 * DAY }),
    ),
  ).toEqual([['agent', 'here', 'there']])
})

const scanned = fc
  .record({
    mac: fc.subarray([CARD, GUEST, RANDOM], { maxLength: 2 }),
    ip: fc.subarray(['10.0.0.5', '10.0.0.6'], { minLength: 1 }),
    hostname: fc.subarray(['web-1', 'printer'], { maxLength: 1 }),
  })
  .chain((values) =>
    fc
      .tuple(fc.constantFrom('default', 'site:here', 'site:there'), fc.nat(6), fc.nat(6))
      .map(([scope, from, more]) => ({
        values,
        when: { scope, from: from * 10 * MINUTE, until: (from + more) * 10 * MINUTE },
      })),
  )

test('addresses, MAC addresses and names never join what scans saw in two networks', () => {
  fc.assert(
    fc.property(fc.array(scanned, { minLength: 2, maxLength: 10 }), (seen) => {
      const matchRecords = seen.map(({ values, when }, index) => recordOf(`o${index}`, values, when))
      const shared = new Set(allShared(matchRecords).keys())
      for (const { members } of cluster({ matchRecords, constraints: [], shared }))
        expect(new Set(members.map(({ scope }) => scope)).size).toBe(1)
    }),
    { numRuns: 1_000 },
  )
})
