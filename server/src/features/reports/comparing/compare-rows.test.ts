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

test.each([
  [
    'links',
    ['a', 'a_port', 'b', 'b_port', 'kind', 'vlan', 'speed'],
    ['sw', '1', 'localhost', null, 'fdb', null],
  ],
  ['measures', ['measure', 'before', 'after', 'change', 'unit', 'note'], ['Cost', '1', '2', '1', 'EUR']],
  ['unheard_of', ['name', 'count'], ['x']],
])('equal tables of %s are equal, also where keys repeat', (section, names, cells) => {
  const columns = names.map((name) => ({ name, title: name, kind: 'text' as const }))
  const row = (last: string) => [...cells, last]
  const rows = [row('x'), row('y'), row('y')]
  const nothing = { added: [], gone: [], changed: [] }
  const before = { section, columns, rows }
  expect(compareRows(before, { section, columns, rows: rows.map((it) => [...it]) })).toEqual({
    ...nothing,
    unchanged: 3,
  })
  const turned = [row('y'), row('x'), row('y')]
  expect(compareRows(before, { section, columns, rows: turned })).toEqual({ ...nothing, unchanged: 3 })
  const more = compareRows(before, { section, columns, rows: [...turned, row('z')] })
  expect([more.added.length, more.gone.length, more.changed.length]).toEqual([1, 0, 0])
  const other = compareRows(before, { section, columns, rows: [row('y'), row('z'), row('x')] })
  expect(other.changed.map((it) => it.cells)).toEqual([[{ column: names.at(-1), before: 'y', after: 'z' }]])
})

test('measures of a simulation are known by name and unit', () => {
  const columns = ['measure', 'before', 'unit'].map((name) => ({ name, title: name, kind: 'text' as const }))
  const of = (...rows: MainTable['rows']): MainTable => ({ section: 'measures', columns, rows })
  const before = of(['Assets', '9', ''], ['Cost', '1.00', 'EUR'], ['Cost', '2.00', 'USD'])
  const after = of(['Assets', '9', ''], ['Cost', '3.00', 'EUR'], ['Cost', '2.00', 'USD'])
  expect(compareRows(before, after)).toMatchObject({
    changed: [{ name: 'Cost · EUR', cells: [{ column: 'before', before: '1.00', after: '3.00' }] }],
    added: [],
    gone: [],
    unchanged: 2,
  })
})
