import { expect, test } from 'vitest'
import { recordFields, type RecordField } from './asset-record.ts'
import { canonical, checkedChange, wrongWith } from './record-values.ts'

const days: readonly RecordField[] = [
  'purchasedOn',
  'warrantyEnds',
  'leaseEnds',
  'replaceOn',
  'hardwareEol',
  'externallyScannedOn',
]

test.each<[readonly RecordField[], string, string]>([
  [days, '1950-01-01', 'taken'],
  [days, '2199-12-31', 'taken'],
  [days, '1949-12-31', 'is not a date; write it like 2026-03-31'],
  [days, '2200-01-01', 'is not a date; write it like 2026-03-31'],
  [days, '2026-02-29', 'is not a date; write it like 2026-03-31'],
  [days, '31.03.2026', 'is not a date; write it like 2026-03-31'],
  [['price'], '0', 'taken'],
  [['price'], '999999999999.99', 'taken'],
  [['price'], '1000000000000', 'is not an amount; write it like 1299.00, without a currency'],
  [['price'], '1.999', 'is not an amount; write it like 1299.00, without a currency'],
  [['price'], '-1', 'is not an amount; write it like 1299.00, without a currency'],
  [['price'], '1 EUR', 'is not an amount; write it like 1299.00, without a currency'],
  [['currency'], 'eur', 'taken'],
  [['currency'], 'EURO', 'is not a currency code of ISO 4217, such as EUR'],
  [['currency'], '€', 'is not a currency code of ISO 4217, such as EUR'],
  [['state'], 'In use', 'taken'],
  [['state'], 'in-use', 'taken'],
  [['state'], 'sold', 'is none of '],
  [['approved'], 'TRUE', 'taken'],
  [['approved'], '0', 'taken'],
  [['approved'], 'perhaps', 'is neither yes nor no'],
  [['approved'], 'constructor', 'is neither yes nor no'],
  [['placeId'], '00000000-0000-4000-8000-000000000000', 'taken'],
  [['placeId'], 'Oslo', 'is not a UUID'],
  [['owner', 'supplier', 'department'], 'x'.repeat(200), 'taken'],
  [['owner', 'supplier', 'department'], 'x'.repeat(201), 'is longer than 200 characters'],
  [['costCentre', 'orderNumber'], 'x'.repeat(100), 'taken'],
  [['costCentre', 'orderNumber'], 'x'.repeat(101), 'is longer than 100 characters'],
  [['notes'], 'x'.repeat(10_000), 'taken'],
  [['notes'], 'x'.repeat(10_001), 'is longer than 10000 characters'],
  [['notes'], 'two\nlines', 'taken'],
  [['owner', 'costCentre'], 'two\nlines', 'holds a control character, such as a line break'],
  [recordFields, 'a\0b', 'holds what is no character'],
  [recordFields, 'a\ud800', 'holds what is no character'],
])('%j may be %s: %s', (fields, text, why) => {
  for (const field of fields) expect(wrongWith(field, text) ?? 'taken').toContain(why)
})

test.each<[RecordField, string, string]>([
  ['price', '1299', '1299.00'],
  ['price', '1299.5', '1299.50'],
  ['price', '0001299.50', '1299.50'],
  ['price', '0', '0.00'],
  ['price', '00.10', '0.10'],
  ['currency', 'eur', 'EUR'],
  ['state', 'In  use', 'in_use'],
  ['approved', 'True', 'yes'],
  ['approved', '0', 'no'],
  ['owner', 'Ada Ünal', 'Ada Ünal'],
])('%s is kept of %s as %s', (field, text, kept) => {
  expect(canonical(field, text)).toBe(kept)
})

test('of a change what is given is checked, trimmed and cleared where it is empty', () => {
  expect(checkedChange({ owner: ' Ada ', notes: '  ', price: null, currency: 'chf' })).toEqual({
    owner: 'Ada',
    notes: null,
    price: null,
    currency: 'CHF',
  })
  expect(() => checkedChange({ owner: 'x', price: 'much' })).toThrow('price: is not an amount')
})
