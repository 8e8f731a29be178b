import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planCosts } from './cost.ts'
import { CostSums, unitsOf } from './cost-sums.ts'

test.each([
  ['0.0123456789', 12_345_678n],
  ['12', 12_000_000_000n],
  ['-3.5', -3_500_000_000n],
  ['1.2E-7', 120n],
  ['9.5e-12', 0n],
  ['1.5e3', 1_500_000_000_000n],
  ['1e2', 100_000_000_000n],
  ['', undefined],
  ['1,5', undefined],
  ['NaN', undefined],
  ['1'.repeat(40), undefined],
])('%s is %s billionths', (text, units) => expect(unitsOf(text)).toBe(units))

test('amounts as numbers of JSON are read to the billionth', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (amount) => {
      const units = unitsOf(String(amount)) ?? 0n
      expect(Math.abs(Number(units) / 1e9 - amount)).toBeLessThan(2e-9)
    }),
  )
})

test('lines are added up per resource and month, and for the account as a whole', () => {
  const sums = new CostSums()
  const line = { account: 'a', currency: 'EUR', day: '2026-11-01' }
  for (const amount of ['0.1', '0.2']) sums.add({ ...line, resource: 'vm', amount })
  sums.add({ ...line, resource: '', amount: '1' })
  sums.add({ ...line, resource: 'vm', day: '2026-10-01', amount: '5' })
  expect([...sums.all()].map(({ resource, month, days }) => [month, resource, days])).toEqual([
    ['2026-11-01', '', { '2026-11-01': '1.300000000' }],
    ['2026-11-01', 'vm', { '2026-11-01': '0.300000000' }],
    ['2026-10-01', '', { '2026-10-01': '5.000000000' }],
    ['2026-10-01', 'vm', { '2026-10-01': '5.000000000' }],
  ])
})

test('days: 14 back at first, then from where the amounts are settled', () => {
  const now = new Date('2026-11-23T04:00:00Z')
  expect(planCosts('day', now, null)).toEqual({
    periods: [{ from: '2026-11-09', until: '2026-11-23', totalsFrom: '2026-08-01' }],
    settledUntil: '2026-11-20',
  })
  expect(planCosts('day', now, '2026-11-19').periods).toEqual([
    { from: '2026-11-19', until: '2026-11-23', totalsFrom: '2026-11-19' },
  ])
})

test('days after a pause: those of resources 14 back, those of accounts from where they ended, three months back', () => {
  const period = (settled: string) => planCosts('day', new Date('2026-11-23T04:00:00Z'), settled).periods[0]
  expect(period('2026-10-20')).toMatchObject({ from: '2026-11-09', totalsFrom: '2026-10-20' })
  expect(period('2026-01-01')).toMatchObject({ from: '2026-11-09', totalsFrom: '2026-08-01' })
})

test('months: three back at first; the last one until the tenth of the next', () => {
  const months = (at: string, settled: string | null) =>
    planCosts('month', new Date(at), settled).periods.map(({ from }) => from.slice(0, 7))
  expect(months('2026-11-23T00:00:00Z', null)).toEqual(['2026-08', '2026-09', '2026-10', '2026-11'])
  const { settledUntil } = planCosts('month', new Date('2026-11-09T00:00:00Z'), null)
  expect(settledUntil).toBe('2026-10-01')
  expect(months('2026-11-10T00:00:00Z', settledUntil)).toEqual(['2026-10', '2026-11'])
  expect(planCosts('month', new Date('2027-01-10T00:00:00Z'), null)).toMatchObject({
    settledUntil: '2027-01-01',
    periods: [
      { from: '2026-10-01' },
      { from: '2026-11-01' },
      {},
      { from: '2027-01-01', until: '2027-02-01' },
    ],
  })
})
