import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validObservation, newRecord, mergeReport } from './merge-observations.ts'
import type { Identifier, Observation } from '../observation.ts'
import type { ObservationRecord } from './observation-record.ts'

const START = Date.parse('2026-01-05T08:00:00Z')
const source = { id: 's', kind: 'csv', name: 'list' }

const identifiers: readonly Identifier[] = [
  { type: 'serial', value: 'PF0ABC12' },
  { type: 'serial', value: 'PF0XYZ99' },
  { type: 'serial', value: 'To be filled by O.E.M.' },
  { type: 'hostname', value: 'web-1' },
  { type: 'ip', value: '10.0.0.5' },
  { type: 'ip', value: '10.0.0.6' },
  { type: 'ip', value: '127.0.0.1' },
]
const few = fc.constantFrom('', 'one', 'two')

const matchRecord = fc
  .record({
    minute: fc.nat(4),
    identifiers: fc.subarray([...identifiers]),
    said: fc.record(
      {
        name: few,
        os: few,
        vendor: few,
        tags: fc.subarray(['a', 'b']),
        facts: fc.dictionary(fc.constantFrom('ports', 'banner', 'note'), fc.nat(2)),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ minute, said, identifiers }): Observation => ({
    sourceKey: '1',
    seenAt: new Date(START + minute * 60_000),
    identifiers,
    ...said,
  }))

function mergeAll([first, ...rest]: readonly Observation[]): ObservationRecord {
  const start = newRecord(validObservation(first as Observation, 0), source, 'id')
  return rest.map(validObservation).reduce(mergeReport, start)
}

const byType = (x: { type: string; value: string }, y: { type: string; value: string }): number =>
  `${x.type} ${x.value}` < `${y.type} ${y.value}` ? -1 : 1

const sorted = (observed: ObservationRecord) => ({
  ...observed,
  identifiers: observed.identifiers.toSorted(byType),
})

const matchRecords = fc.array(matchRecord, { minLength: 1, maxLength: 8 })
const inTwoOrders = matchRecords.chain((some) =>
  fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
)

test('reports in any order, and once more, come to the same', () => {
  fc.assert(
    fc.property(inTwoOrders, ([some, other]) => {
      const once = sorted(mergeAll(some))
      expect(sorted(mergeAll(other))).toEqual(once)
      expect(sorted(mergeAll([...some, ...other]))).toEqual(once)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 300) },
  )
})

/** The value in the newest sighting that has one, of those of one moment in that with the greatest hash. */
function newest<T>(
  some: readonly Observation[],
  valueOf: (each: Observation) => T | undefined,
): T | undefined {
  const hash = (each: Observation) => validObservation(each, 0).payloadHash
  return some
    .toSorted((x, y) => y.seenAt.getTime() - x.seenAt.getTime() || (hash(x) < hash(y) ? 1 : -1))
    .map(valueOf)
    .find((value) => value !== undefined && value !== '')
}

test('each attribute, fact and type of identifier is that of the newest report that mentions it', () => {
  fc.assert(
    fc.property(matchRecords, (some) => {
      const { combined: said, current } = mergeAll(some)
      for (const name of ['os', 'vendor', 'name'] as const) {
        expect(said[name]).toBe(newest(some, (each) => each[name]))
      }
      expect(said.tags).toEqual(newest(some, (each) => each.tags))
      for (const fact of ['ports', 'banner', 'note']) {
        expect(said.facts?.[fact]).toBe(newest(some, ({ facts }) => facts?.[fact]))
      }
      for (const type of ['serial', 'hostname', 'ip'] as const) {
        const labels = newest(some, (each) => {
          const found = validObservation(each, 0).current.filter((label) => label.type === type)
          return found.length > 0 ? found : undefined
        })
        expect(current.filter((label) => label.type === type)).toEqual(labels ?? [])
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? 300) },
  )
})

test('at most 64 facts of older reports are stored', () => {
  const of = (minute: number, names: readonly string[]): Observation => ({
    sourceKey: '1',
    seenAt: new Date(START + minute * 60_000),
    identifiers: [],
    facts: Object.fromEntries(names.map((name) => [name, minute])),
  })
  const many = (prefix: string) => Array.from({ length: 40 }, (_, n) => `${prefix}${n + 10}`)
  const all = [of(0, many('old')), of(1, many('new')), of(2, ['last'])]
  const { facts } = mergeAll(all).combined
  expect(Object.keys(facts ?? {})).toHaveLength(65)
  expect(facts).toMatchObject({ last: 2, new10: 1, new49: 1, old10: 0, old33: 0 })
  expect(mergeAll(all.toReversed()).combined.facts).toEqual(facts)
})
