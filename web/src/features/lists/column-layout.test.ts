import { expect, test } from 'vitest'
import { movedColumn, readColumns, resizedColumn, toggledColumn, writeColumns } from './column-layout.ts'

test.each([
  ['name,os:12.5,custom.owner', 'name,os:12.5,custom.owner'],
  ['os', 'name,os'],
  ['', 'name'],
  ['name,os:1,ip:99', 'name,os:3,ip:60'],
  ['name,<b>,os:x,ip,ip:7', 'name,ip:7'],
])('%j means %s', (text, meant) => {
  expect(writeColumns(readColumns(text))).toBe(meant)
})

test('columns are moved, shown, hidden and made wider', () => {
  const columns = readColumns('name,os,ip')
  expect(writeColumns(movedColumn(columns, 'ip', -1))).toBe('name,ip,os')
  expect(movedColumn(columns, 'name', -1)).toBe(columns)
  expect(writeColumns(toggledColumn(columns, 'os'))).toBe('name,ip')
  expect(writeColumns(toggledColumn(columns, 'mac'))).toBe('name,os,ip,mac')
  expect(writeColumns(resizedColumn(columns, 'os', 9.13))).toBe('name,os:9.25,ip')
})
