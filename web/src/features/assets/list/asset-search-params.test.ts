import { expect, test } from 'vitest'
import { csvUrl, filterOf, isFiltered, readAssetSearch } from './asset-search-params.ts'

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
      week: 'last',
    }),
  ).toEqual({})
})

test('a search that looks like a number is a text', () => {
  expect(readAssetSearch({ search: 10 })).toEqual({ search: '10' })
})

test('the filter is in the words of the server', () => {
  const filter = filterOf({ source: 's1', tag: 'prod', week: 'went', sort: 'name' })
  expect(filter).toEqual({ sourceId: 's1', tag: 'prod', thisWeek: 'went' })
})

test('a view that was saved as new is still new', () => {
  expect(readAssetSearch({ isNew: true })).toEqual({ week: 'came' })
})

test('a file is of what is shown, in its order and with its columns', () => {
  expect(csvUrl({}, ['name', 'os'])).toBe('/files/assets.csv?columns=name%2Cos')
  expect(csvUrl({ search: 'a&b', week: 'came', sort: 'name', direction: 'asc' }, ['name'])).toBe(
    '/files/assets.csv?search=a%26b&thisWeek=came&sort=name&direction=asc&columns=name',
  )
})

test('an order is no filter', () => {
  expect(isFiltered({ sort: 'name', direction: 'asc' })).toBe(false)
  expect(isFiltered({ tag: 'prod' })).toBe(true)
})
