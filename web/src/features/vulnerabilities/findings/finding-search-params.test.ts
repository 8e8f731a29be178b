import { expect, test } from 'vitest'
import { groupingOf, listedWhere, readFindingSearch, variablesOf } from './finding-search-params.ts'

test('what is not understood is left out', () => {
  const wrong = {
    text: '',
    where: {},
    severity: 'dire',
    outcome: 'gone',
    exploited: 'yes',
    order: 'name',
    group: 'x',
    more: 1,
  }
  expect(readFindingSearch(wrong)).toEqual({})
})

test('what is understood is kept', () => {
  const search = { search: 'ssl', where: 'kev = yes', sort: 'epss', direction: 'desc', group: 'asset.os' }
  expect(readFindingSearch(search)).toEqual(search)
})

test('links of earlier versions mean the same as a condition', () => {
  const earlier = { severity: 'high', outcome: 'any', exploited: true, fixable: true, asset: 'a-1' }
  expect(readFindingSearch(earlier)).toEqual({
    where: 'severity = high and has status and kev = yes and fixable = yes and asset.id = a-1',
  })
  const read = readFindingSearch(earlier)
  expect(readFindingSearch({ ...earlier, ...read })).toEqual(read)
  expect(readFindingSearch({ outcome: 'resolved' })).toEqual({ where: 'status = resolved' })
  expect(readFindingSearch({ text: 'ssl', order: 'epss', group: 'os' })).toEqual({
    search: 'ssl',
    sort: 'epss',
    direction: 'desc',
    group: 'asset.os',
  })
})

test('the open ones are asked for, unless the condition asks about the status', () => {
  expect(variablesOf({}).filter?.status).toBe('open')
  expect(variablesOf({ where: 'kev = yes' }).filter).toEqual({
    search: null,
    where: 'kev = yes',
    assetId: null,
    status: 'open',
  })
  expect(variablesOf({}, 'a-1').filter).toMatchObject({ assetId: 'a-1', where: null, status: 'open' })
  expect(variablesOf({ where: 'has status' }).filter?.status).toBeNull()
})

test('the highest score comes first, another order as it was asked for', () => {
  expect(variablesOf({})).toMatchObject({ sort: 'score', ascending: false })
  expect(variablesOf({ sort: 'assetName' })).toMatchObject({ sort: 'assetName', ascending: true })
  expect(variablesOf({ sort: 'epss', direction: 'desc' })).toMatchObject({ sort: 'epss', ascending: false })
})

test('findings begin grouped by fix, and a question is answered with findings', () => {
  expect(groupingOf(readFindingSearch({}))).toBe('fix')
  expect(groupingOf(readFindingSearch({ group: 'site' }))).toBe('asset.site')
  for (const asked of [{ group: 'none' }, { search: 'firefox' }, { where: 'kev = yes' }, { sort: 'epss' }])
    expect(groupingOf(readFindingSearch(asked))).toBe(undefined)
})

test.each([
  [{}, 'status = open'],
  [{ search: 'log4j' }, '"log4j" and status = open'],
  [{ where: 'status = accepted' }, 'status = accepted'],
])('what a list with %j has as one condition', (search, where) => {
  expect(listedWhere(search)).toBe(where)
})
