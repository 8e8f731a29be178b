import { expect, test } from 'vitest'
import { isNamed, licencePosition, type Entitled } from './licence-position.ts'

const DAY = '2026-11-22'

const entitled = (more: Partial<Entitled>): Entitled => ({
  product: 'WinRAR',
  vendor: null,
  metric: 'device',
  count: 20,
  cost: '100.00',
  currency: 'EUR',
  begins: null,
  ends: null,
  used: 0,
  ...more,
})

test('devices: what is installed beyond what was bought costs the average of one', () => {
  const position = licencePosition(
    [entitled({ ends: '2027-12-31' }), entitled({ count: 10, cost: '20.01', ends: '2026-12-31' })],
    { assets: 33, cores: undefined },
    DAY,
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
    licencePosition([entitled({ count: 2, cost })], { assets: 3, cores: undefined }, DAY).cost_of_gap
  expect([of('0.25'), of('0.27'), of('0.01')]).toEqual(['0.12', '0.14', '0.00'])
})

test('users need what is assigned, cores those of the assets; what is not known has no balance', () => {
  const installed = { assets: 4, cores: 70 }
  expect(licencePosition([entitled({ metric: 'user', used: 21 })], installed, DAY)).toMatchObject({
    balance: -1,
    cost_of_gap: '5.00',
  })
  expect(licencePosition([entitled({ metric: 'core', count: 64 })], installed, DAY)).toMatchObject({
    installed: 70,
    balance: -6,
  })
  expect(licencePosition([entitled({ metric: 'core' })], { assets: 4, cores: undefined }, DAY)).toMatchObject(
    {
      installed: null,
      balance: null,
      cost_of_gap: '0.00',
    },
  )
  expect(licencePosition([entitled({ count: null })], installed, DAY)).toMatchObject({
    balance: null,
    entitled: null,
  })
})

test('no sum mixes two currencies, and unused assignments can be taken back', () => {
  const installed = { assets: 4, cores: undefined }
  const position = licencePosition([entitled({ used: 9 }), entitled({ currency: 'USD' })], installed, DAY)
  expect(position).toMatchObject({ cost_of_gap: null, currency: null, reclaimable: 5 })
})

test('what has ended or not begun entitles to nothing, and what is missing costs what one of the last did', () => {
  const old = entitled({ count: 100, cost: '200.00', ends: '2024-12-31', used: 7 })
  const older = entitled({ count: 10, cost: '10.00', ends: '2023-12-31' })
  const next = entitled({ count: 50, begins: '2026-11-23' })
  const installed = { assets: 80, cores: undefined }
  expect(licencePosition([older, old, next], installed, DAY)).toMatchObject({
    entitled: 0,
    installed: 80,
    assigned: 7,
    balance: -80,
    cost_of_gap: '160.00',
    ends: '2024-12-31',
  })
  const now = entitled({ count: 90, begins: DAY, ends: DAY })
  expect(licencePosition([older, old, now, next], installed, DAY)).toMatchObject({
    entitled: 90,
    assigned: 0,
    balance: 10,
    ends: DAY,
  })
  expect(licencePosition([{ ...old, count: null }], installed, DAY)).toMatchObject({ entitled: 0 })
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
