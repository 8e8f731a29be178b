import { expect, test } from 'vitest'
import { perQuarter, quarterAfter, quartersOf, riskFirst, type Planned } from './scenarios.ts'

const due = (id: string, amount: string | null, risk: number | null): Planned => ({
  id,
  name: id,
  quarter: '2027-Q2',
  dueAmount: amount,
  dueCurrency: amount === null ? null : 'EUR',
  risk,
})

const all = [
  due('a', '400.00', 10),
  due('b', '600.01', 90.5),
  due('c', null, 99),
  due('d', '1000.00', null),
  due('e', '5000.00', 50),
]

test('the highest risk first, within the money of each quarter; what is dearer has one for itself', () => {
  const planned = riskFirst(all, '2026-Q4', '1000.00')
  expect(planned.map(({ id, quarter }) => [id, quarter])).toEqual([
    ['c', '2026-Q4'],
    ['b', '2026-Q4'],
    ['e', '2027-Q1'],
    ['a', '2027-Q2'],
    ['d', '2027-Q3'],
  ])
})

test('every scenario is of the same assets, and its amounts add up to the same', () => {
  const rows = [
    ...quartersOf('as is', all),
    ...quartersOf('risk first', riskFirst(all, '2026-Q4', '1000.00')),
  ]
  for (const scenario of ['as is', 'risk first']) {
    const own = rows.filter((it) => it.scenario === scenario)
    expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(5)
    expect(own.reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 100), 0)).toBe(700_001)
    expect(own.reduce((sum, { risk }) => sum + Math.round(Number(risk) * 10), 0)).toBe(2_495)
  }
})

test('the money of a quarter is enough for all of them', () => {
  expect(perQuarter(all, 12)).toBe('584.00')
  expect(perQuarter([], 12)).toBe('0.00')
})

test('a year ends with its fourth quarter', () => {
  expect([quarterAfter('2026-Q4'), quarterAfter('2027-Q1')]).toEqual(['2027-Q1', '2027-Q2'])
})
