import { expect, test } from 'vitest'
import { factValuesOf } from './fact-values.ts'

test('ports and services are those of all observations, single values those of the newest', () => {
  expect(
    factValuesOf([
      { openPorts: [443, 22], memoryBytes: 1_024, bootedAt: '2026-01-02T00:00:00Z' },
      {
        listening: ['tcp 0.0.0.0 22', 'tcp 127.0.0.1 631', 'tcp [::1] 632', 'udp 0.0.0.0 161', 'tcp :: 8080'],
      },
      { memoryMb: 7, services: ['Nginx', 'sshd'], cpuCount: 4, biosVersion: ' A1  B ' },
    ]),
  ).toEqual({
    openPorts: [22, 443, 8080],
    knownPorts: null,
    services: ['nginx', 'sshd'],
    memoryBytes: 1_024,
    cpuCount: 4,
    bootedAt: new Date('2026-01-02T00:00:00Z'),
    biosVersion: 'a1 b',
  })
})

test('what nobody says is absent; that none is open is known', () => {
  expect(factValuesOf([])).toEqual({})
  expect(factValuesOf([{ kernel: '6.1' }])).toEqual({})
  expect(factValuesOf([{ openPorts: [] }])).toEqual({ openPorts: [], knownPorts: [] })
})

test.each([
  [{ openPorts: [0, 65_536, 1.5, 'x', null, 80] }, { openPorts: [80], knownPorts: [80] }],
  [{ openPorts: 3, listening: 'tcp', askedPorts: [22] }, {}],
  [{ memoryBytes: 0, cpuCount: -1, bootedAt: 'yesterday', biosVersion: '\0' }, {}],
  [{ memoryBytes: Number.MAX_VALUE, cpuCount: 2 ** 40 }, { memoryBytes: Number.MAX_VALUE }],
  [{ disks: [{ bytes: 1 }, { name: 'sdb' }] }, {}],
  [{ disks: [{ bytes: 1 }, { sizeBytes: 2 }] }, { diskBytes: 3 }],
  [{ disks: [{ name: 'sdb' }], diskGb: 1 }, { diskBytes: 2 ** 30 }],
  [{ bootedAt: '+123456-01-01T00:00:00Z' }, {}],
])('%j', (facts, expected) => {
  expect(factValuesOf([facts])).toEqual(expected)
})

test.each([
  ['a sweep asked some ports', [{ openPorts: [80], askedPorts: [22, 80] }], [22, 80]],
  [
    'two asked different ones',
    [
      { openPorts: [], askedPorts: [22] },
      { openPorts: [23], askedPorts: [23] },
    ],
    [22, 23],
  ],
  ['a list of which nobody says what was asked', [{ ports: [80] }], [80]],
  ['a list whose source says that it is whole', [{ ports: [80], askedPorts: 'all' }], null],
  ['a login lists all that listens', [{ openPorts: [80], askedPorts: [80] }, { listening: [] }], null],
  ['a login whose list was cut', [{ listening: ['tcp :: 80'], notes: ['listening: 1 of 9 kept'] }], [80]],
])('known ports: %s', (_, facts, expected) => {
  expect(factValuesOf(facts).knownPorts).toEqual(expected)
})
