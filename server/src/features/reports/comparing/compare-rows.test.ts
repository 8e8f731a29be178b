import { expect, test } from 'vitest'
import { compareRows, type MainTable } from './compare-rows.ts'

const table = (...rows: MainTable['rows']): MainTable => ({
  section: 'assets',
  columns: [
    { name: 'id', title: 'Id', kind: 'text' },
    { name: 'name', title: 'Name', kind: 'text' },
    { name: 'owner', title: 'Owner', kind: 'text' },
    { name: 'last_seen', title: 'Last seen', kind: 'instant' },
  ],
  rows,
})

test('rows are known again by their id; times alone are no change', () => {
  const before = table(['1', 'web', null, 'a'], ['2', 'db', 'Erika', 'a'], ['3', 'old', null, 'a'])
  const after = table(['2', 'db', 'Max', 'b'], ['1', 'web', null, 'b'], ['4', 'new', null, 'b'])
  expect(compareRows(before, after)).toEqual({
    added: [{ key: '4', name: 'new', cells: [] }],
    gone: [{ key: '3', name: 'old', cells: [] }],
    changed: [{ key: '2', name: 'db', cells: [{ column: 'Owner', before: 'Erika', after: 'Max' }] }],
    unchanged: 1,
  })
})

test('a column that the earlier dataset does not have is not compared', () => {
  const before = { ...table(['1', 'web']), columns: table().columns.slice(0, 2) }
  expect(compareRows(before, table(['1', 'web', 'Max', 'b']))).toMatchObject({ changed: [], unchanged: 1 })
})

test('rows of several key columns are named by them', () => {
  const columns = ['product', 'vendor', 'metric'].map((name) => ({
    name,
    title: name,
    kind: 'text' as const,
  }))
  const products = (...rows: MainTable['rows']): MainTable => ({ section: 'products', columns, rows })
  expect(compareRows(products(), products(['WinRAR', null, 'device'])).added).toEqual([
    { key: '["WinRAR",null,"device"]', name: 'WinRAR · device', cells: [] },
  ])
})
