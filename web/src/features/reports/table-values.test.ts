import { expect, test } from 'vitest'
import { noTable, tableOf } from './table-values.ts'

test('a table is told when it has columns, and a condition on its rows where they are findings', () => {
  expect(tableOf(noTable)).toBeNull()
  const values = { ...noTable, columns: ['name'], group_by: 'os', rows_where: 'severity = high' }
  const table = { rows: 'assets', columns: ['name'], groupBy: 'os', sortBy: null, where: null }
  expect(tableOf(values)).toEqual(table)
  expect(tableOf({ ...values, rows: 'findings' })).toMatchObject({ where: 'severity = high' })
})
