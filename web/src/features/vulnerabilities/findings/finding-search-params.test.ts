import { expect, test } from 'vitest'
import { groupingOf, listedWhere, readFindingSearch, variablesOf } from './finding-search-params.ts'

test('what is not understood is left out', () => {
  const wrong = {
    text: '',
    where: 7,
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
  const search = { text: 'ssl', where: 'kev = yes', order: 'epss', group: 'fix' }
  expect(readFindingSearch(search)).toEqual(search)
})

test('links of earlier versions mean the same as a condition', () => {
  const earlier = { severity: 'high', outcome: 'any', exploited: true, fixable: true, asset: 'a-1' }
  expect(readFindingSearch(earlier)).toEqual({
    where: 'severity = high and has status and kev = yes and fixable = yes and asset.id = a-1',
  })
  expect(readFindingSearch({ outcome: 'resolved' })).toEqual({ where: 'status = resolved' })
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

test('findings begin grouped by fix, and a question is answered with findings', () => {
  expect(groupingOf(readFindingSearch({}))).toBe('fix')
  expect(groupingOf(readFindingSearch({ group: 'os' }))).toBe('os')
  for (const asked of [{ group: 'none' }, { text: 'firefox' }, { where: 'kev = yes' }, { order: 'epss' }])
    expect(groupingOf(readFindingSearch(asked))).toBe(undefined)
})

test.each([
  [{}, 'status = open'],
  [{ text: 'log4j' }, '"log4j" and status = open'],
  [{ where: 'status = accepted' }, 'status = accepted'],
])('what a list with %j has as one condition', (search, where) => {
  expect(listedWhere(search)).toBe(where)
})
