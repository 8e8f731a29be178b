import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cluster, type Constraint } from './identity.ts'
import type { IdentifierType } from '../observation.ts'
import { allShared } from './shared-identifier-values.ts'
import { isWeak, KEY_SEPARATOR, type MatchRecord } from './match-record.ts'
import { machinesApart } from './machines-apart.ts'
import { MINUTE, recordOf } from './match-records.fixture.ts'

/** Few values for many observations, so that clones, shared cards, reused leases and contradictions abound. */
const pools: Partial<Record<IdentifierType, readonly string[]>> = {
  agent_key: ['k1', 'k2', 'k3'],
  cloud_id: ['aws:1/i-1', 'aws:1/i-2', 'vcenter:1/5012'],
  serial: ['PF0ABC12', 'PF0XYZ99', 'PF0QRS55', 'Default string'],
  smbios_uuid: [
    '4c4c4544-0043-3510-8052-b9c04f4a3632',
    '44454c4c-4300-1035-8052-b9c04f4a3632',
    '564d1234-aaaa-bbbb-cccc-000000000001',
  ],
  machine_id: ['a1b2', 'c3d4'],
  mac: [
    '3c:2a:f4:02:34:5f',
    '3c:2a:f4:02:34:60',
    '00:50:56:9a:01:02',
    'da:a1:19:00:00:01',
    '00:00:5e:00:01:01',
  ],
  hostname: ['web-1', 'web-1.corp.example', 'web-2.corp.example', 'localhost'],
  ptr_name: ['h5.corp.example'],
  ip: ['10.0.0.5', '10.0.0.6', '10.0.0.7', '::ffff:10.0.0.5'],
}

const identifierPeriods = fc.record(
  Object.fromEntries(
    Object.entries(pools).map(([type, pool]) => [
      type,
      fc.subarray([...pool], { maxLength: Math.min(2, pool.length) }),
    ]),
  ),
  { requiredKeys: [] },
)
const weak = fc.record({ ip: fc.subarray([...(pools.ip ?? [])], { minLength: 1, maxLength: 2 }) })
const circumstances = fc
  .tuple(
    fc.integer({ min: 0, max: 8 }),
    fc.integer({ min: 0, max: 6 }),
    fc.constantFrom('Dell Inc.', 'Lenovo', undefined),
  )
  .map(([from, more, vendor]) => ({ from: from * 10 * MINUTE, until: (from + more) * 10 * MINUTE, vendor }))

const input = fc
  .array(fc.tuple(fc.oneof(identifierPeriods, identifierPeriods, weak), circumstances), {
    minLength: 2,
    maxLength: 14,
  })
  .map((record) =>
    record.map(([values, when], index) =>
      recordOf(['glpi', index % 3, String(index).padStart(2, '0')].join(KEY_SEPARATOR), values, when),
    ),
  )
  .chain((matchRecords) =>
    fc.record({
      matchRecords: fc.constant(matchRecords),
      order: fc.shuffledSubarray(matchRecords, { minLength: matchRecords.length }),
      constraints: fc.array(constraintAmong(matchRecords), { maxLength: 3 }),
      chosen: fc.infiniteStream(fc.boolean()),
    }),
  )

function constraintAmong(matchRecords: readonly MatchRecord[]): fc.Arbitrary<Constraint> {
  const id = fc.constantFrom(...matchRecords.map((record) => record.id))
  return fc
    .record({ kind: fc.constantFrom('must_link' as const, 'cannot_link' as const), a: id, b: id })
    .filter(({ a, b }) => a !== b)
}

const keysOf = (
  matchRecords: MatchRecord[],
  constraints: Constraint[],
  shared: ReadonlySet<string>,
): string[] =>
  cluster({ matchRecords, constraints, shared }).map(({ members }) => members.map(({ key }) => key).join(' '))

test('any order of the same observations gives the same clusters', () => {
  fc.assert(
    fc.property(input, ({ matchRecords, order, constraints }) => {
      const shared = new Set(allShared(matchRecords).keys())
      expect(new Set(allShared(order).keys())).toEqual(shared)
      expect(keysOf(order, constraints.toReversed(), shared)).toEqual(
        keysOf(matchRecords, constraints, shared),
      )
    }),
    { numRuns: 3000 },
  )
})

test('every observation is in exactly one cluster, and no cluster holds what a person separated', () => {
  fc.assert(
    fc.property(input, ({ matchRecords, constraints }) => {
      const shared = new Set(allShared(matchRecords).keys())
      const clusters = cluster({ matchRecords, constraints, shared })
      const placed = clusters.flatMap(({ members }) => members.map(({ id }) => id))
      expect(placed.toSorted()).toEqual(matchRecords.map(({ id }) => id).toSorted())
      for (const { a, b } of constraints.filter(({ kind }) => kind === 'cannot_link')) {
        const [one, other] = [a, b].map((id) =>
          clusters.findIndex(({ members }) => members.some((record) => record.id === id)),
        )
        expect(one).not.toBe(other)
      }
      for (const { members, links } of clusters) expect(links).toHaveLength(members.length - 1)
    }),
    { numRuns: 1000 },
  )
})

test('clusters looked at apart from the rest of the inventory stay what they are', () => {
  fc.assert(
    fc.property(input, ({ matchRecords, constraints, chosen }) => {
      const shared = new Set(allShared(matchRecords).keys())
      // a weak one may go to any cluster with its address, and is looked at with all of them; a serial that many have
      // leaves one as weak as none
      const strong = matchRecords.filter(
        (record) =>
          !isWeak(record, shared) &&
          [...record.identifierPeriods.keys()].some((key) => key.startsWith('serial')),
      )
      const whole = cluster({ matchRecords: strong, constraints, shared })
      const part = whole.filter(() => chosen.next().value)
      const again = keysOf(
        part.flatMap(({ members }) => [...members]),
        constraints,
        shared,
      )
      expect(again).toEqual(part.map(({ members }) => members.map(({ key }) => key).join(' ')))
    }),
    { numRuns: 1000 },
  )
})

/** Each with a network card and an address of its own, there at the same time, and all else from one image. */
const cloned = fc
  .array(
    fc.record(
      Object.fromEntries(
        (['agent_key', 'smbios_uuid', 'machine_id', 'hostname'] as const).map((type) => [
          type,
          fc.subarray([...(pools[type] ?? [])], { maxLength: 2 }),
        ]),
      ),
      { requiredKeys: [] },
    ),
    { minLength: 2, maxLength: 8 },
  )
  .map((all) =>
    all.map((values, index) =>
      recordOf(String(index), {
        ...values,
        ssh_host_key: [`sha256:${'k'.repeat(43)}`],
        management_id: ['d-1'],
        mac: [`00:25:90:10:00:0${index}`],
        ip: [`10.1.0.${index}`],
      }),
    ),
  )

test('what is there at once with other MAC addresses and other addresses is never one asset', () => {
  const bystander = fc.record({ machine_id: fc.constant(['a1b2']), hostname: fc.constant(['web-1']) })
  fc.assert(
    fc.property(cloned, fc.option(bystander), ([...records], more) => {
      if (more) records.push(recordOf('bystander', more))
      for (const { members } of cluster({ matchRecords: records, constraints: [], shared: new Set() }))
        expect(members.filter(({ key }) => key !== 'bystander').length).toBeLessThan(2)
    }),
    { numRuns: 1000 },
  )
})

/** In the words of the rule, not by the functions that carry it out. */
const valuesOf = ({ identifierPeriods: held }: MatchRecord, type: IdentifierType): string[] =>
  [...held.values()].filter((it) => it.type === type).map(({ value }) => value)
const isDisjoint = (a: MatchRecord, b: MatchRecord, type: IdentifierType): boolean =>
  !valuesOf(a, type).some((value) => valuesOf(b, type).includes(value))
const spanOf = ({ identifierPeriods: held }: MatchRecord): [number, number] => [
  Math.min(...[...held.values()].map(({ firstSeen }) => firstSeen)),
  Math.max(...[...held.values()].map(({ lastSeen }) => lastSeen)),
]
function areStrangers(a: MatchRecord, b: MatchRecord): boolean {
  if ([a, b].some((it) => valuesOf(it, 'mac').length === 0 || valuesOf(it, 'ip').length === 0)) return false
  const [[from, until], [since, to]] = [spanOf(a), spanOf(b)]
  return from <= to && since <= until && isDisjoint(a, b, 'mac') && isDisjoint(a, b, 'ip')
}
const haveWitness = (a: MatchRecord, b: MatchRecord, members: readonly MatchRecord[]): boolean =>
  members.some((it) => it !== a && it !== b && !isDisjoint(it, a, 'mac') && !isDisjoint(it, b, 'mac'))
const pairsIn = (members: readonly MatchRecord[]): [MatchRecord, MatchRecord][] =>
  members.flatMap((a, index) => members.slice(index + 1).map((b): [MatchRecord, MatchRecord] => [a, b]))

test('alive at once with disjoint MACs and addresses: in one asset by a serial or cloud id that two of its members share', () => {
  fc.assert(
    fc.property(input, ({ matchRecords, order }) => {
      const shared = new Set(allShared(matchRecords).keys())
      const clusters = cluster({ matchRecords: order, constraints: [], shared })
      for (const { members } of clusters) {
        const strangers = pairsIn(members).filter(
          ([a, b]) => areStrangers(a, b) && !haveWitness(a, b, members),
        )
        if (strangers.length === 0) continue
        const isSaid = pairsIn(members).some(
          ([a, b]) => !isDisjoint(a, b, 'serial') || !isDisjoint(a, b, 'cloud_id'),
        )
        expect(isSaid).toBe(true)
      }
    }),
    { numRuns: 3000 },
  )
})

test('a serial does not join two systems that run at once', () => {
  fc.assert(
    fc.property(input, ({ matchRecords, order }) => {
      const shared = new Set(allShared(matchRecords).keys())
      for (const { members } of cluster({ matchRecords: order, constraints: [], shared })) {
        if (pairsIn(members).some(([a, b]) => !isDisjoint(a, b, 'cloud_id'))) continue
        for (const [a, b] of pairsIn(members).filter((pair) => areStrangers(...pair))) {
          if (haveWitness(a, b, members)) continue
          const haveIds = [a, b].every((it) => valuesOf(it, 'machine_id').length > 0)
          expect(haveIds && isDisjoint(a, b, 'machine_id')).toBe(false)
        }
      }
    }),
    { numRuns: 3000 },
  )
})

test('in one asset, two that are apart have a serial, a cloud id or an observation of both their cards', () => {
  fc.assert(
    fc.property(input, ({ matchRecords }) => {
      const shared = new Set(allShared(matchRecords).keys())
      for (const { members } of cluster({ matchRecords, constraints: [], shared })) {
        const isSure = members.some(({ identifierPeriods }) =>
          [...identifierPeriods.keys()].some((key) => /^(serial|cloud_id) /.test(key)),
        )
        if (isSure) continue
        expect(machinesApart(members, members, shared)).toBeUndefined()
      }
    }),
    { numRuns: 2000 },
  )
})
