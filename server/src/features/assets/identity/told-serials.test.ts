import { describe, expect, test } from 'vitest'
import { cluster } from './identity.ts'
import { KEY_SEPARATOR, type MatchRecord } from './match-record.ts'
import { decisionOn, MINUTE, recordOf } from './match-records.fixture.ts'
import { allShared } from './shared-identifier-values.ts'

/** When a serial is no proof that two are one. */

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UUID = '4c4c4544-0043-3510-8052-b9c04f4a3632'

describe('two that are there at once, with other MAC addresses and other addresses', () => {
  const here = { mac: ['00:25:90:10:00:01'], ip: ['10.1.0.1'] }
  const there = { mac: ['00:25:90:10:00:02'], ip: ['10.1.0.2'] }
  const hardware = { serial: ['CZJ8210P4R'], smbios_uuid: [UUID] }
  const told = (source: string, id: string, values: Record<string, readonly string[]>, until = DAY) =>
    recordOf(['glpi', source, id].join(KEY_SEPARATOR), values, { until, vendor: 'HPE' })
  const host = told('one', 'h', { ...here, ...hardware, hostname: ['pve1.example.org'] })
  test.each<[string, MatchRecord, 'one' | 'asked']>([
    ['under other names', told('one', 'c', { ...there, ...hardware, hostname: ['dns'] }), 'asked'],
    [
      'with the id of a cloud',
      told('one', 'c', { ...there, ...hardware, hostname: ['dns'], cloud_id: ['aws:i-1'] }),
      'asked',
    ],
    [
      'under one name, once with its domain',
      told('one', 'c', { ...there, ...hardware, hostname: ['pve1'] }),
      'one',
    ],
    ['without a name', told('one', 'c', { ...there, ...hardware }), 'one'],
    ['by another source', told('two', 'c', { ...there, ...hardware, hostname: ['dns'] }), 'one'],
    [
      'without a network card, under other names',
      told('one', 'c', { ip: ['10.1.9.9'], ...hardware, hostname: ['dns'] }),
      'asked',
    ],
    [
      'without a network card, by another source',
      told('two', 'c', { ip: ['10.1.9.9'], ...hardware, hostname: ['dns'] }),
      'one',
    ],
    [
      'by another source, with the cards of a guest',
      told('two', 'c', { mac: ['bc:24:11:00:00:07'], ip: ['10.1.9.9'], ...hardware }),
      'asked',
    ],
    [
      'by another source, with the cards of a guest and of a machine',
      told('two', 'c', { mac: ['bc:24:11:00:00:07', '00:25:90:10:00:09'], ip: ['10.1.9.9'], ...hardware }),
      'one',
    ],
  ])('and of which one source tells, with the serial of one host: %s', (_, other, decision) => {
    expect(decisionOn(host, other)).toBe(decision)
    expect(decisionOn(other, host)).toBe(decision)
    // what else is seen of the host does not make them one
    const seen = told('scan', 's', { ...here, ...hardware })
    expect(decisionOn(host, other, seen)).toBe(decision)
  })
  test.each<[string, number, string, 'one' | 'asked']>([
    ['another machine id on that day', 0, 'm2', 'asked'],
    ['the same machine id', 0, 'm1', 'one'],
    ['another machine id days later', 3 * DAY, 'm2', 'one'],
  ])('of two sources: %s', (_, from, id, decision) => {
    const [a, b] = [
      recordOf('a', { ...here, ...hardware, machine_id: ['m1'] }, { vendor: 'HPE' }),
      recordOf('b', { ...there, ...hardware, machine_id: [id] }, { from, vendor: 'HPE' }),
    ]
    expect(decisionOn(a, b)).toBe(decision)
    expect(decisionOn(b, a)).toBe(decision)
  })
  test('a serial that one source tells of three at once counts for nothing', () => {
    const desks = ['1', '2', '3'].map((n) =>
      told('one', n, {
        mac: [`00:25:90:10:00:1${n}`],
        ip: [`10.1.8.${n}`],
        serial: ['MBFILLER77'],
        hostname: [`pc${n}`],
      }),
    )
    const scanned = told('two', 's', { mac: ['00:25:90:10:00:19'], ip: ['10.1.8.9'], serial: ['MBFILLER77'] })
    const shared = allShared([...desks, scanned])
    expect(shared.get('serial MBFILLER77')).toEqual({
      because: 'told_of_many',
      values: ['pc1', 'pc2', 'pc3'],
    })
    expect(allShared([...desks.slice(1), scanned]).size).toBe(0)
  })
  test('are one when it was renamed and enrolled again', () => {
    const again = recordOf(
      ['glpi', 'one', 'c'].join(KEY_SEPARATOR),
      { ...there, ...hardware, hostname: ['dns'] },
      { from: DAY + 2 * HOUR, until: 3 * DAY, vendor: 'HPE' },
    )
    expect(decisionOn(host, again)).toBe('one')
  })
})

/** Ten machines that were installed from one image, with its name, and take another address each day. */
test.each([
  ['a bare name', 'desktop'],
  ['a full name', 'desktop.corp.example'],
])('ten of one name behind DHCP are ten: %s', (_, hostname) => {
  const pool = Array.from({ length: 10 }, (__, at) => `10.1.20.${10 + at}`)
  const namesakes = pool.map((___, at) =>
    recordOf(
      `n${at}`,
      { hostname: [hostname], mac: [`00:25:90:10:01:0${at}`], ip: pool },
      { until: 3 * DAY },
    ),
  )
  const shared = new Set(allShared(namesakes).keys())
  for (const order of [namesakes, namesakes.toReversed()])
    expect(cluster({ matchRecords: order, constraints: [], shared })).toHaveLength(10)
})
