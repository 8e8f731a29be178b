import { expect, test } from 'vitest'
import { columnLabel, withColumnLabels } from './column-choices.ts'

const columns = [
  { title: 'Purchase Date', column: 'purchasedOn' },
  { title: 'Model', column: null },
]

test.each([
  ['purchasedOn', 'Purchase Date'],
  ['macAddress', 'MAC address'],
  ['custom_fields', undefined],
])('the column %s is called %s', (column, label) => expect(columnLabel(column, columns)).toBe(label))

test('why a row is left out names columns as the person knows them, and leaves its values alone', () => {
  expect(withColumnLabels('is no date: "macAddress" (also wrong: macAddress, purchasedOn)', columns)).toBe(
    'is no date: "macAddress" (also wrong: MAC address, Purchase Date)',
  )
})
