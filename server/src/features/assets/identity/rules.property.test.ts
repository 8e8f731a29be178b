import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evidence } from './evidence.ts'
import { cluster } from './identity.ts'
import { matchRecord, type MatchRecord } from './match-record.ts'
import { decisionOn, MINUTE, recordOf } from './match-records.fixture.ts'
import { allShared } from './shared-identifier-values.ts'

/** Rules of docs/identity.md over values and times that nobody chose; their cases stand in `rules.test.ts`. */

const DAY = 24 * 60 * MINUTE
const RUNS = { numRuns: 300 }

const octets = (first: string, n: number): string =>
  `${first}:${[16, 8, 0].map((by) => ((n >> by) & 255).toString(16).padStart(2, '0')).join(':')}`
const universal = fc.integer({ min: 1, max: 0xfffffe }).map((n) => octets('00:25:90', n))
const random = fc.integer({ min: 1, max: 0xfffffe }).map((n) => octets('da:a1:19', n))
const address = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 1, max: 254 }))
  .map(([net, host]) => `10.7.${net}.${host}`)
const name = fc
  .tuple(fc.constantFrom('lathe', 'crane', 'kiln', 'annas-phone'), fc.integer({ min: 10, max: 99 }))
  .map(([word, n]) => `${word}-${n}`)
const days = fc.integer({ min: 0, max: 400 })
const wholeSerial = fc
  .tuple(fc.constantFrom('PF', 'CZ', 'MX', '5CG'), fc.integer({ min: 100_000, max: 999_999 }))
  .map(([before, n]) => `${before}${n}Q7K`)

const both = (records: readonly [MatchRecord, MatchRecord]): string[] => [
  decisionOn(...records),
  decisionOn(records[1], records[0]),
]

/** Had `before` for two days, and has `now` from then on. */
function moved(key: string, before: Record<string, string[]>, now: Record<string, string[]>): MatchRecord {
  const [first, then] = [recordOf(key, before, { until: DAY }), recordOf(key, now, { until: 9 * DAY })]
  return matchRecord({
    ...first,
    vendor: undefined,
    identifierPeriods: [
      ...[...first.identifierPeriods.values()].map((it) => ({ ...it, ended: true })),
      ...[...then.identifierPeriods.values()].map((it) => ({ ...it, ended: false })),
    ],
  })
}

test('what a source no longer reports is no evidence once another has it', () => {
  const wanted = fc.record({ mac: universal, serial: wholeSerial, machine: fc.uuid() })
  fc.assert(
    fc.property(wanted, wanted, name, fc.integer({ min: 3, max: 8 }), (old, now, hostname, from) => {
      fc.pre(old.mac !== now.mac && old.serial !== now.serial && old.machine !== now.machine)
      const tells = (it: typeof old) => ({ mac: [it.mac], serial: [it.serial], machine_id: [it.machine] })
      const first = moved('a', tells(old), { ...tells(now), hostname: [hostname] })
      const heir = recordOf(
        'b',
        { ...tells(old), hostname: [hostname] },
        { from: from * DAY, until: 9 * DAY },
      )
      expect(evidence(first, heir, new Set()).reasons.map(({ group }) => group)).toEqual(['name'])
      expect(both([first, heir])).not.toContain('one')
    }),
    RUNS,
  )
})

test('a serial that is short or plain, of a maker that nobody knows, joins nothing, whatever the time and name', () => {
  const plain = fc.oneof(
    fc.stringMatching(/^[A-Z0-9]{3,6}$/),
    fc.integer({ min: 1000, max: 99_999_999 }).map(String),
    fc.constantFrom('SN1234567', 'AAAA1111', 'X01234567'),
  )
  fc.assert(
    fc.property(plain, name, days, (serial, hostname, from) => {
      const tells = { serial: [serial], hostname: [hostname] }
      expect(both([recordOf('a', tells), recordOf('b', tells, { from: from * DAY })])).not.toContain('one')
    }),
    RUNS,
  )
})

test('a serial of one maker joins two sources, also with other cards, addresses and names: a system and its controller', () => {
  fc.assert(
    fc.property(
      wholeSerial,
      fc.uniqueArray(universal, { minLength: 2, maxLength: 2 }),
      fc.uniqueArray(address, { minLength: 2, maxLength: 2 }),
      fc.uniqueArray(name, { minLength: 2, maxLength: 2 }),
      (serial, macs, ips, names) => {
        const [a, b] = [0, 1].map((at) =>
          recordOf(
            `${at}`,
            { serial: [serial], mac: [macs[at]!], ip: [ips[at]!], hostname: [names[at]!] },
            { until: DAY, vendor: 'Acme' },
          ),
        )
        expect(both([a!, b!])).toEqual(['one', 'one'])
      },
    ),
    RUNS,
  )
})

test('one card at one address is one machine whatever the time between, and in two networks two', () => {
  fc.assert(
    fc.property(fc.oneof(universal, random), address, days, (mac, ip, from) => {
      const tells = { mac: [mac], ip: [ip] }
      const late = { from: from * DAY }
      expect(both([recordOf('a', tells), recordOf('b', tells, late)])).toEqual(['one', 'one'])
      const away = recordOf('b', tells, { ...late, scope: 'site:b' })
      expect(both([recordOf('a', tells, { scope: 'site:a' }), away])).toEqual(['two', 'two'])
    }),
    RUNS,
  )
})

test('a random card that the agent reports decides as a universal one does', () => {
  fc.assert(
    fc.property(random, universal, fc.tuple(address, name), days, (made, real, [ip, hostname], from) => {
      const asked = (mac: string, more: Record<string, string[]>) =>
        both([
          recordOf('a', { agent_key: ['k1'], mac: [mac], hostname: [hostname] }, { until: DAY }),
          recordOf('b', { mac: [mac], ...more }, { from: from * DAY }),
        ])
      for (const more of [{}, { ip: [ip] }, { hostname: [hostname] }, { ip: [ip], hostname: [hostname] }])
        expect(asked(made, more)).toEqual(asked(real, more))
    }),
    RUNS,
  )
})

test('behind a router, an address that passes to another name is another machine', () => {
  fc.assert(
    fc.property(address, fc.uniqueArray(name, { minLength: 2, maxLength: 4 }), days, (ip, names, apart) => {
      const records = names.map((hostname, at) =>
        recordOf(`${at}`, { ip: [ip], hostname: [hostname] }, { from: at * (apart + 1) * DAY }),
      )
      const shared = new Set(allShared(records).keys())
      expect(cluster({ matchRecords: records, constraints: [], shared })).toHaveLength(names.length)
    }),
    RUNS,
  )
})

test('phones of one name are asked about, then one by the rule, and never while two are there at once', () => {
  const seen = (key: string, mac: string, [hostname, isRemembered]: [string, boolean], from: number) => {
    const record = recordOf(
      key,
      { mac: [mac], hostname: [hostname] },
      { from: from * DAY, until: (from + 5) * DAY },
    )
    const identifierPeriods = [...record.identifierPeriods.values()].map((it) => ({
      ...it,
      isRemembered: it.type === 'hostname' && isRemembered,
    }))
    return matchRecord({ ...record, vendor: undefined, identifierPeriods })
  }
  fc.assert(
    fc.property(
      fc.uniqueArray(random, { minLength: 2, maxLength: 2 }),
      name,
      fc.integer({ min: 0, max: 60 }),
      (macs, hostname, later) => {
        const decided = (isRemembered: boolean) =>
          both([
            seen('a', macs[0]!, [hostname, isRemembered], 0),
            seen('b', macs[1]!, [hostname, isRemembered], later),
          ])
        const isAtOnce = later <= 5
        expect(decided(false)).toEqual(isAtOnce ? ['two', 'two'] : ['asked', 'asked'])
        expect(decided(true)).toEqual(isAtOnce ? ['two', 'two'] : ['one', 'one'])
      },
    ),
    RUNS,
  )
})
