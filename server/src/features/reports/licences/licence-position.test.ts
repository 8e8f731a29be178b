import { expect, test } from 'vitest'
import { isNamed, licencePosition, type Entitled } from './licence-position.ts'

const entitled = (more: Partial<Entitled>): Entitled => ({
  product: 'WinRAR',
  vendor: null,
  metric: 'device',
  count: 20,
  cost: '100.00',
  currency: 'EUR',
  ends: null,
  used: 0,
  ...more,
})

test('devices: what is installed beyond what was bought costs the average of one', () => {
  const position = licencePosition(
    [entitled({ ends: '2027-12-31' }), entitled({ count: 10, cost: '20.01', ends: '2026-12-31' })],
    { assets: 33, cores: undefined },
  )
  // 3 of (100.00 + 20.01) / 30
  expect(position).toMatchObject({
    entitled: 30,
    installed: 33,
    balance: -3,
    cost_of_gap: '12.00',
    currency: 'EUR',
    ends: '2026-12-31',
    reclaimable: null,
  })
})

test('a half of a cent goes to the even neighbour', () => {
  const of = (cost: string) =>
    licencePosition([entitled({ count: 2, cost })], { assets: 3, cores: undefined }).cost_of_gap
  expect([of('0.25'), of('0.27'), of('0.01')]).toEqual(['0.12', '0.14', '0.00'])
})

test('users need what is assigned, cores those of the assets; what is not known has no balance', () => {
  const installed = { assets: 4, cores: 70 }
  expect(licencePosition([entitled({ metric: 'user', used: 21 })], installed)).toMatchObject({
    balance: -1,
    cost_of_gap: '5.00',
  })
  expect(licencePosition([entitled({ metric: 'core', count: 64 })], installed)).toMatchObject({
    installed: 70,
    balance: -6,
  })
  expect(licencePosition([entitled({ metric: 'core' })], { assets: 4, cores: undefined })).toMatchObject({
    installed: null,
    balance: null,
    cost_of_gap: '0.00',
  })
  expect(licencePosition([entitled({ count: null })], installed)).toMatchObject({
    balance: null,
    entitled: null,
  })
})

test('no sum mixes two currencies, and unused assignments can be taken back', () => {
  const position = licencePosition([entitled({ used: 9 }), entitled({ currency: 'USD' })], {
    assets: 4,
    cores: undefined,
  })
  expect(position).toMatchObject({ cost_of_gap: null, currency: null, reclaimable: 5 })
})

test.each([
  ['WinRAR', 'WinRAR 6.22 (64-bit)', true],
  ['Windows Server Standard', 'Microsoft Windows Server 2022 Standard', true],
  ['Windows Server Standard', 'Windows Server 2022 Datacenter', false],
  ['Office', 'LibreOffice 7', false],
  ['', 'anything', false],
])('%s stands for %s: %s', (product, name, is) => {
  expect(isNamed(product, name)).toBe(is)
})
