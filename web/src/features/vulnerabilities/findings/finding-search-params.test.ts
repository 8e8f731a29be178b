import { expect, test } from 'vitest'
import { readFindingSearch, variablesOf } from './finding-search-params.ts'

test('what is not understood is left out', () => {
  expect(
    readFindingSearch({
      text: '',
      severity: 'dire',
      outcome: 'gone',
      exploited: 'yes',
      order: 'name',
      more: 1,
    }),
  ).toEqual({})
})

test('what is understood is kept', () => {
  const search = {
    text: 'ssl',
    severity: 'high',
    outcome: 'any',
    exploited: true,
    fixable: true,
    order: 'epss',
  }
  expect(readFindingSearch(search)).toEqual(search)
})

test('the open ones are asked for, unless another status is', () => {
  expect(variablesOf({}).filter?.status).toBe('open')
  expect(variablesOf({ outcome: 'any' }).filter?.status).toBeNull()
  expect(variablesOf({ outcome: 'resolved' })).toMatchObject({
    filter: { status: 'resolved' },
    sort: 'score',
  })
})
