import { expect, test } from 'vitest'
import { csvUrl, filterOf, readAssetSearch } from './asset-search-params.ts'

test('what an address says is kept where it is understood', () => {
  const search = { search: 'ber', where: 'seen < -30d', sort: 'name', direction: 'asc' }
  expect(readAssetSearch(search)).toEqual(search)
})

test('what is not understood is left out', () => {
  const wrong = {
    search: '',
    where: {},
    freshness: 7,
    sort: '__proto__',
    direction: {},
    isNew: 'yes',
    week: 'last',
  }
  expect(readAssetSearch(wrong)).toEqual({})
  expect(readAssetSearch({ freshness: 'toString', week: 'constructor' })).toEqual({})
})

test('a search that looks like a number is a text', () => {
  expect(readAssetSearch({ search: 10 })).toEqual({ search: '10' })
})

test('the filter is in the words of the server', () => {
  const filter = filterOf({ source: 's1', where: 'tag = prod', search: 'web', sort: 'name' })
  expect(filter).toEqual({ sourceId: 's1', where: 'tag = prod', search: 'web' })
})

test('links and views of earlier versions mean the same as a condition', () => {
  expect(readAssetSearch({ isNew: true })).toEqual({ where: 'first_seen >= -7d' })
  expect(readAssetSearch({ week: 'went' })).toEqual({ where: 'seen < -7d and seen >= -14d' })
  expect(
    readAssetSearch({ type: 'device', device: 'printer', tag: 'two words', freshness: 'older' }),
  ).toEqual({
    where: 'asset_type = device and device_type = printer and tag = "two words" and seen < -30d',
  })
  expect(readAssetSearch({ where: 'a = 1 or b = 2', tag: 'x' })).toEqual({
    where: '(a = 1 or b = 2) and tag = x',
  })
})

test('a file is of what is shown, in its order and with its columns', () => {
  expect(csvUrl({}, ['name', 'os'])).toBe('/files/assets.csv?columns=name%2Cos')
  expect(csvUrl({ search: 'a&b', where: 'seen < -30d', sort: 'name', direction: 'asc' }, ['name'])).toBe(
    '/files/assets.csv?search=a%26b&where=seen+%3C+-30d&sort=name&direction=asc&columns=name',
  )
})
