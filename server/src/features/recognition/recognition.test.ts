import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { hostileTexts } from '../../../bench/recognition/recognition-speed.ts'
import { deviceTypes } from './device-types.ts'
import {
  listDeviceTypes,
  recognize,
  recognizeDevice,
  recognizeFingerprint,
  recognizeMac,
} from './recognition.ts'
import { isTelling, textSources } from './signals.ts'

const home = sharedTestApp()
const sources = textSources

test('signals of several kinds make one answer, surer than each', () => {
  const answer = recognize({
    mac: '00:40:8C:12:34:56',
    ip: '192.0.2.7',
    hostname: 'axis-00408c123456.example.net',
    ports: [80, 554],
    texts: [{ source: 'http', text: 'AXIS P3245-LVE Network Camera 9.80.1' }],
  })
  expect(answer).toMatchObject({ deviceType: 'camera', vendor: 'AXIS', model: 'P3245-LVE', source: 'http' })
  expect(answer.confidence).toBeGreaterThan(0.9)
  expect(answer.matches.map(({ source }) => source)).toEqual(
    expect.arrayContaining(['http', 'mac_oui', 'ports']),
  )
})

test.each([
  [
    { vendor: 'Cisco', model: 'C9300-48P' },
    { deviceType: 'switch', vendor: 'Cisco', model: 'C9300-48P' },
  ],
  [{ vendor: 'Kyocera' }, { deviceType: 'printer', vendor: 'Kyocera', source: 'hint' }],
  // registered to Hewlett Packard: what the caller calls the maker, and its model, is the answer
  [
    { mac: '3c:d9:2b:00:00:01', vendor: 'HP', model: 'DL380' },
    { deviceType: 'server', vendor: 'HP', model: 'DL380' },
  ],
  [
    { mac: '3c:d9:2b:00:00:01', vendor: 'HPE', model: 'Unheard-of' },
    { vendor: 'Hewlett Packard Enterprise', model: 'Unheard-of' },
  ],
  [
    { mac: '94:40:c9:00:00:01', vendor: 'HPE', model: 'Unheard-of' },
    { vendor: 'Hewlett Packard Enterprise', model: 'Unheard-of' },
  ],
  [
    { vendor: 'Acme', model: 'X1' },
    { deviceType: 'unknown', vendor: 'Acme', model: 'X1', confidence: 0.35 },
  ],
  [{ hostname: 'printer.example.net' }, { deviceType: 'printer', source: 'hostname' }],
  [{ ports: [9100] }, { deviceType: 'printer', source: 'ports', confidence: 0.7 }],
  [{ dhcpOptions: [1, 3, 6, 15, 31, 33, 43, 44, 46, 47, 119, 121, 249, 252] }, { deviceType: 'workstation' }],
  [{ texts: [{ source: 'pjl', text: 'Strange 12' }] }, { deviceType: 'printer', source: 'pjl' }],
] as const)('%o is %o', (signals, answer) => {
  expect(recognize(signals)).toMatchObject(answer)
})

test('property: whatever is sent, the answer is well formed, and sure only of what a device itself says', () => {
  const signals = fc.record(
    {
      mac: fc.oneof(fc.string(), fc.constant('00:40:8C:12:34:56')),
      ip: fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
      hostname: fc.string(),
      vendor: fc.constantFrom('HP', 'AXIS', 'Cisco', ''),
      model: fc.string(),
      sysObjectId: fc.constantFrom('1.3.6.1.4.1.9.1.1', 'x'),
      ports: fc.array(fc.integer({ min: 1, max: 65_535 })),
      texts: fc.array(
        fc.record({ source: fc.constantFrom(...sources), text: fc.string({ unit: 'binary' }) }),
      ),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(signals, (given) => {
      const { deviceType, confidence, matches } = recognize(given)
      expect(deviceTypes).toContain(deviceType)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(0.99)
      expect(confidence < 0.8 || matches.some(({ source }) => isTelling(source))).toBe(true)
    }),
  )
})

test('hostile texts are read in every source', () => {
  for (const text of hostileTexts()) {
    const { confidence } = recognize({
      hostname: text,
      model: text,
      texts: sources.map((source) => ({ source, text })),
    })
    expect(confidence).toBeLessThanOrEqual(0.99)
  }
})

async function anyone(): Promise<Ctx> {
  return home().newTenant()
}

test('an answer needs an address or a fingerprint', async () => {
  const ctx = await anyone()
  for (const question of [
    {},
    { vendor: 'HP', model: 'x', hostname: 'h' },
    { fingerprints: {} },
    { macAddress: ' ' },
  ]) {
    expect(() => recognizeDevice(ctx, question)).toThrow('mac_address, ip_address and fingerprints')
  }
})

test('what is no address is refused, naming the field', async () => {
  const ctx = await anyone()
  expect(() => recognizeDevice(ctx, { macAddress: 'x' })).toThrow(/^mac_address: /)
  expect(() => recognizeDevice(ctx, { ipAddress: '1.2.3' })).toThrow(/^ip_address: /)
  expect(() => recognizeDevice(ctx, { ipAddress: '192.0.2.1', model: 'x'.repeat(2_000) })).toThrow(/^model: /)
  expect(() => recognizeMac(ctx, '')).toThrow(/^mac_address: /)
  expect(() => recognizeFingerprint(ctx, {})).toThrow(/^fingerprint: /)
})

test('somebody without the permission learns nothing', async () => {
  const ctx = await anyone()
  const actor = { kind: 'user', id: 'u', may: () => false } as const
  expect(() => recognizeMac({ ...ctx, actor }, '00:40:8C:12:34:56')).toThrow('recognition:read')
  expect(() => listDeviceTypes({ ...ctx, actor })).toThrow('recognition:read')
})
