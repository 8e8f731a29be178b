import { describe, expect, test } from 'vitest'
import { LENGTH_MAX, toObservation, wrongs, type AssetRow } from './asset-row.ts'

const now = new Date('2026-11-21T12:00:00Z')

describe('what a row makes', () => {
  test('everything that it says, in one form', () => {
    const row: AssetRow = {
      name: 'Print room',
      assetType: 'device',
      ipAddress: '2001:DB8:0::1',
      macAddress: '3C-2A-F4-12-34-56',
      os: 'VxWorks',
      riskScore: '12.5',
      lastSeen: '2026-11-20T09:30:00+02:00',
      tags: 'floor 2; print ;;floor 2',
      hostname: 'Printer-1.example.test',
      serial: 'U64283A',
      vendor: 'Brother',
      model: 'HL-L6400DW',
    }
    expect(wrongs(row, now)).toEqual([])
    expect(toObservation(row, now)).toEqual({
      sourceKey: 'serial:u64283a',
      seenAt: new Date('2026-11-20T07:30:00Z'),
      name: 'Print room',
      assetType: 'device',
      os: 'VxWorks',
      vendor: 'Brother',
      model: 'HL-L6400DW',
      tags: ['floor 2', 'print'],
      identifiers: [
        { type: 'serial', value: 'U64283A' },
        { type: 'mac', value: '3c:2a:f4:12:34:56' },
        { type: 'hostname', value: 'Printer-1.example.test' },
        { type: 'ip', value: '2001:db8::1' },
      ],
    })
  })

  const all: AssetRow = {
    id: 'A3BB189E-8BF9-3888-9912-ACE4E6543002',
    serial: 'S1',
    macAddress: '001b.2100.0001',
    hostname: 'PC1',
    ipAddress: '::ffff:10.0.0.1',
    name: 'Reception',
  }
  test.each([
    ['asset:a3bb189e-8bf9-3888-9912-ace4e6543002', []],
    ['serial:s1', ['id']],
    ['mac:00:1b:21:00:00:01', ['id', 'serial']],
    ['hostname:pc1', ['id', 'serial', 'macAddress']],
    ['ip:10.0.0.1', ['id', 'serial', 'macAddress', 'hostname']],
    ['name:reception', ['id', 'serial', 'macAddress', 'hostname', 'ipAddress']],
  ])('its key is the strongest: %s', (key, without) => {
    const row = Object.fromEntries(Object.entries(all).filter(([column]) => !without.includes(column)))
    expect(toObservation(row, now).sourceKey).toBe(key)
  })

  test('seen now when the row does not say, and never later', () => {
    expect(toObservation({ name: 'a' }, now).seenAt).toEqual(now)
    const soon: AssetRow = { name: 'a', lastSeen: '2026-11-21T12:04:00Z' }
    expect(wrongs(soon, now)).toEqual([])
    expect(toObservation(soon, now).seenAt).toEqual(now)
  })
})

describe('what is wrong with a row', () => {
  test.each([
    ['id', 'a3bb189e8bf938889912ace4e6543002', 'is not a UUID'],
    ['ipAddress', '10.0.0.256', 'is not an IPv4'],
    ['ipAddress', '010.0.0.1', 'is not an IPv4'],
    ['ipAddress', '10.0.0.0/24', 'is not an IPv4'],
    ['ipAddress', 'fe80::1%eth0', 'is not an IPv4'],
    ['macAddress', '00:1b:21:00:00', 'is not a MAC'],
    ['macAddress', '00:1b:21:00:00:0g', 'is not a MAC'],
    ['hostname', 'two words', 'is not a host name'],
    ['riskScore', 'high', 'is not a number'],
    ['riskScore', '-1', 'is not a number from 0'],
    ['riskScore', '1e999', 'is not a number from 0'],
    ['riskScore', 'NaN', 'is not a number'],
    ['lastSeen', 'yesterday', 'is not a time'],
    ['lastSeen', '2026-02-29T00:00:00Z', 'is not a time'],
    ['lastSeen', '2026-11-20T24:00:00Z', 'is not a time'],
    ['lastSeen', '2026-11-20T09:30:00', 'is not a time'],
    ['lastSeen', '11/20/2026', 'is not a time'],
    ['lastSeen', '2026-11-21T12:06:00Z', 'lies in the future'],
    ['lastSeen', '1969-12-31', 'lies before 1970'],
    ['tags', Array.from({ length: 101 }, (_, i) => i).join(';'), 'are more than 100'],
    ['tags', 'x'.repeat(256), 'hold one of more than 255'],
    ['name', 'a\0b', 'holds a NUL'],
  ] as const)('%s %j', (field, text, why) => {
    const found = wrongs({ name: 'x', [field]: text }, now)
    expect(found).toEqual([{ field, why: expect.stringContaining(why) }])
  })

  test.each(['name', 'os', 'hostname', 'serial', 'vendor', 'model'] as const)('%s has a bound', (field) => {
    const found = wrongs({ [field]: 'x'.repeat(LENGTH_MAX[field]! + 1) }, now)
    expect(found).toEqual([{ field, why: `is longer than ${LENGTH_MAX[field]} characters` }])
  })

  test('a row that says nothing of which thing it is about', () => {
    const row: AssetRow = {
      os: 'Linux',
      tags: 'a',
      riskScore: '0',
      lastSeen: '2026-11-20',
      assetType: 'device',
    }
    expect(wrongs(row, now)).toEqual([
      { field: 'name', why: expect.stringContaining('nothing tells which thing') },
    ])
  })
})

test('a long name makes a short key', () => {
  const key = (name: string) => toObservation({ name }, now).sourceKey
  expect(key('x'.repeat(1_024))).toMatch(/^name:[0-9a-f]{64}$/)
  expect(key('x'.repeat(1_024))).not.toBe(key('x'.repeat(1_023)))
})

test.each([
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20 09:30:00Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20t09:30:00.123456z', '2026-11-20T09:30:00.123Z'],
  ['2024-02-29T23:59:60Z', '2024-02-29T23:59:59.000Z'],
  ['2026-11-20T00:30:00-05:30', '2026-11-20T06:00:00.000Z'],
])('time %s', (text, instant) => {
  expect(wrongs({ name: 'x', lastSeen: text }, now)).toEqual([])
  expect(toObservation({ name: 'x', lastSeen: text }, now).seenAt.toISOString()).toBe(instant)
})
