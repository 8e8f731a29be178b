import { expect, test } from 'vitest'
import { filterOf, isFiltered, readAssetSearch } from './search.ts'

test('what an address says is kept where it is understood', () => {
  expect(
    readAssetSearch({ search: 'ber', type: 'device', freshness: 'older', sort: 'name', direction: 'asc' }),
  ).toEqual({ search: 'ber', type: 'device', freshness: 'older', sort: 'name', direction: 'asc' })
})

test('what is not understood is left out', () => {
  expect(
    readAssetSearch({
      search: '',
      type: 'spoon',
      freshness: 7,
      sort: '__proto__',
      direction: {},
      isNew: 'yes',
    }),
  ).toEqual({})
})

test('a search that looks like a number is a text', () => {
  expect(readAssetSearch({ search: 10 })).toEqual({ search: '10' })
})

test('the filter is in the words of the server, and the same within an hour', () => {
  const at = Date.parse('2026-11-21T03:45:12Z')
  const filter = filterOf({ source: 's1', tag: 'prod', isNew: true, sort: 'name' }, at)
  expect(filter).toEqual({ sourceId: 's1', tag: 'prod', newSince: '2026-11-14T03:00:00.000Z' })
  expect(filterOf({ isNew: true }, at + 60_000)).toEqual(filterOf({ isNew: true }, at))
})

test('an order is no filter', () => {
  expect(isFiltered({ sort: 'name', direction: 'asc' })).toBe(false)
  expect(isFiltered({ tag: 'prod' })).toBe(true)
})
