import { expect, test } from 'vitest'
import type { Chart, Row, SectionHead } from '../../dataset/dataset.ts'
import { barsOf, byUnit, pointsOf, stacksOf } from './chart-data.ts'

const head = (chart: Chart): SectionHead => ({
  name: 'section',
  title: 'Section',
  columns: [
    { name: 'label', title: 'Label', kind: 'text' },
    { name: 'count', title: 'Count', kind: 'integer' },
    { name: 'amount', title: 'Amount', kind: 'decimal' },
    { name: 'part', title: 'Part', kind: 'text' },
    { name: 'currency', title: 'Currency', kind: 'text' },
  ],
  chart,
})

const months: readonly Row[] = Array.from({ length: 12 }, (_, n) => [
  `2026-${String(n + 1).padStart(2, '0')}-28`,
  1_000 + n,
])

test('issue 13: a line has a point for each of twelve months', () => {
  const points = pointsOf(head({ kind: 'line', label: 'label', value: 'count' }), months)
  expect(points.map(({ label }) => label)).toEqual(months.map(([label]) => label))
  expect(points.map(({ value }) => value)).toEqual(months.map(([, count]) => count))
})

test('what is not known is a gap of a line and no bar, never a zero', () => {
  const rows: readonly Row[] = [
    ['a', 1],
    ['b', null],
    ['c', 0],
  ]
  const values = (points: readonly { readonly value: number | undefined }[]) => points.map((it) => it.value)
  expect(values(pointsOf(head({ kind: 'line', label: 'label', value: 'count' }), rows))).toEqual([
    1,
    undefined,
    0,
  ])
  expect(values(barsOf(head({ kind: 'bars', label: 'label', value: 'count' }), rows, true))).toEqual([1, 0])
})

test.each([
  { chart: { isSummable: true }, isWhole: true, last: '4 others', value: 4_038 },
  { chart: { isSummable: true }, isWhole: false, last: '2026-08-28', value: 1_007 },
  { chart: {}, isWhole: true, last: '2026-08-28', value: 1_007 },
  { chart: { isTimeSeries: true }, isWhole: true, last: '2026-12-28', value: 1_011 },
] as const)('the last of the bars of $chart is $last', ({ chart, isWhole, last, value }) => {
  const bars = barsOf(head({ kind: 'bars', label: 'label', value: 'count', ...chart }), months, isWhole)
  expect(bars.at(-1)).toMatchObject({ label: last, value })
})

test('amounts of two currencies are in two pictures, and those without one in none', () => {
  const chart = {
    kind: 'bars',
    label: 'label',
    value: 'amount',
    unit: 'currency',
    isTimeSeries: true,
  } as const
  const rows: readonly Row[] = [
    ['2026-Q4', 1, '10.10', null, 'EUR'],
    ['2026-Q4', 1, '20.20', null, 'USD'],
    ['2027-Q1', 1, '30.30', null, 'EUR'],
    ['2027-Q1', 1, '40.40', null, null],
  ]
  const pictures = byUnit(head(chart), rows).map(({ unit, rows: some }) => [
    unit,
    ...barsOf(head(chart), some, true).map(({ label, said }) => `${label} ${said}`),
  ])
  expect(pictures).toEqual([
    ['EUR', '2026-Q4 10.10', '2027-Q1 30.30'],
    ['USD', '2026-Q4 20.20'],
  ])
})

test('a bar of parts adds up to the cent, the largest series first and the smallest ones together', () => {
  const chart = { kind: 'stacked', label: 'label', value: 'amount', series: 'part' } as const
  const rows: readonly Row[] = Array.from({ length: 20 }, (_, n) => [
    `Q${n % 2}`,
    1,
    `${n + 1}.10`,
    n === 3 ? null : `part ${Math.floor(n / 2)}`,
    null,
  ])
  const { series, stacks } = stacksOf(head(chart), rows)
  expect(series).toEqual([...[9, 8, 7, 6, 5, 4, 3].map((n) => `part ${n}`), '4 others'])
  expect(stacks.map(({ label, said }) => [label, said])).toEqual([
    ['Q0', '101.00'],
    ['Q1', '111.00'],
  ])
  for (const { value, parts } of stacks)
    expect(Math.round(100 * parts.reduce((sum, it) => sum + it.value, 0))).toBe(100 * value)
})
