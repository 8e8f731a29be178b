import { expect, test } from 'vitest'
import { isNarrowed, isSameSearch, ofList, readListSearch } from './list-search.ts'

test('what an address says is kept where it is understood', () => {
  const search = {
    search: 'ssl',
    where: 'installs > 3',
    sort: 'first_seen',
    direction: 'desc',
    group: 'vendor',
  }
  expect(readListSearch(search)).toEqual(search)
  expect(readListSearch({ search: 10 })).toEqual({ search: '10' })
})

test('what is not understood is left out, and words of earlier links are still read', () => {
  expect(readListSearch({ sort: '<b>', direction: 'up', group: 7, where: {}, columns: '' })).toEqual({})
  expect(readListSearch({ text: 'open' })).toEqual({ search: 'open' })
})

test('an order, a grouping and columns narrow nothing', () => {
  expect(isNarrowed({ sort: 'name', direction: 'asc', group: 'vendor', columns: 'name' })).toBe(false)
  expect(isNarrowed({ where: 'installs > 3' })).toBe(true)
})

test('searches are the same whatever the order of their parts', () => {
  expect(isSameSearch({ sort: 'name', where: 'a = 1' }, { where: 'a = 1', sort: 'name' })).toBe(true)
  expect(isSameSearch({}, { sort: 'name' })).toBe(false)
})

test('what an address had from earlier versions, and the place in the list, go with the next change', () => {
  const before = {
    where: 'kev = yes',
    sort: 'name',
    source: 's',
    text: 'x',
    outcome: 'any',
    'asset.at': 200,
    preview: 'a',
  }
  expect(ofList(before)).toEqual({ where: 'kev = yes', sort: 'name', source: 's' })
})
