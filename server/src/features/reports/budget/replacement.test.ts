import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sharedData } from '#test/support/shared-data.ts'
import { decimal, plus, rounded, textOf } from './decimal.ts'
import { plusMonths, replacementOf, type ForecastTerms, type Replaceable } from './replacement.ts'

test.each([
  ['1.005', '1.00'],
  ['1.015', '1.02'],
  ['1.0050001', '1.01'],
  ['-1.005', '-1.00'],
  ['-1.015', '-1.02'],
  ['12', '12.00'],
  ['0.1', '0.10'],
  ['99999999999999.995', '100000000000000.00'],
])('%s is rounded to %s, half to even', (text, expected) => {
  expect(textOf(rounded(decimal(text)))).toBe(expected)
})

test('a thousand times a cent are ten', () => {
  let sum = decimal('0')
  for (let n = 0; n < 1_000; n += 1) sum = plus(sum, decimal('0.01'))
  expect(textOf(sum)).toBe('10.00')
})

test.each([
  ['2024-02-29', 12, '2025-02-28'],
  ['2024-02-29', 48, '2028-02-29'],
  ['2026-08-31', 6, '2027-02-28'],
  ['2026-12-31', 1, '2027-01-31'],
  ['2026-05-15', 0, '2026-05-15'],
])('%s and %i months are %s', (day, months, expected) => {
  expect(plusMonths(day, months)).toBe(expected)
})

const nothing: Replaceable = {
  deviceType: 'server',
  purchasedOn: null,
  firstSeen: null,
  warrantyEnds: null,
  hardwareEol: null,
  leaseEnds: null,
  planned: null,
  price: null,
  currency: null,
}
const terms: ForecastTerms = {
  snapshotDay: '2026-11-22',
  currency: null,
  rates: new Map(),
  priceRise: '0.1',
  prices: new Map([['server', { price: '100.00', currency: 'EUR', lifeMonths: 60 }]]),
  deferMonths: 0,
}

test('what nothing says of has no due day', () => {
  expect(replacementOf(nothing, terms)).toBeUndefined()
})

test('without a currency of reports each price stays in its own, and rises', () => {
  const planned = { ...nothing, planned: '2028-01-01', price: '50.05', currency: 'USD' }
  expect(replacementOf(planned, terms)).toMatchObject({
    reason: 'planned',
    dueAmount: '60.56',
    dueCurrency: 'USD',
    priceFrom: 'asset',
  })
})

test('an unknown day of purchase is the first sighting, and said so', () => {
  expect(replacementOf({ ...nothing, firstSeen: '2025-01-31' }, terms)).toMatchObject({
    dueOn: '2030-01-31',
    reason: 'end of life, counted from the first sighting',
    dueAmount: '146.41',
  })
})

interface Case {
  readonly scenario: string
  readonly asset: string
  readonly device_type: string
  readonly expect: Readonly<
    Record<'due_on' | 'quarter' | 'price_from' | 'price_in_eur' | 'note', string | null>
  >
}
interface Cases {
  readonly snapshot_day: string
  readonly rates_to_eur: Readonly<Record<string, string>>
  readonly price_rise_per_year: string
  readonly classes: Readonly<
    Record<string, { price: string | null; currency: string | null; life_months: number }>
  >
  readonly rows: readonly (Case & Readonly<Record<string, string | null>>)[]
}

sharedData('reports', 'the worked cases', (path) => {
  const cases = JSON.parse(readFileSync(`${path}/budget-cases.json`, 'utf8')) as Cases
  test.each(cases.rows)('$scenario $asset', (row) => {
    const made = replacementOf(
      {
        deviceType: row.device_type,
        purchasedOn: row['purchased_on'] ?? null,
        firstSeen: row['first_seen'] ?? null,
        warrantyEnds: row['warranty_ends'] ?? null,
        hardwareEol: row['hardware_eol'] ?? null,
        leaseEnds: row['lease_ends'] ?? null,
        planned: row['planned'] ?? null,
        price: row['price'] ?? null,
        currency: row['currency'] ?? null,
      },
      {
        snapshotDay: cases.snapshot_day,
        currency: 'EUR',
        rates: new Map(Object.entries(cases.rates_to_eur)),
        priceRise: cases.price_rise_per_year,
        prices: new Map(
          Object.entries(cases.classes).map(([type, { life_months: lifeMonths, ...price }]) => [
            type,
            { ...price, lifeMonths },
          ]),
        ),
        deferMonths: row.scenario === 'defer_6' ? 6 : 0,
      },
    )
    expect({
      due_on: made?.dueOn,
      quarter: made?.quarter,
      price_from: made?.priceFrom,
      price_in_eur: made?.dueAmount,
      note: made?.note,
    }).toEqual(row.expect)
  })
})
