import { expect, test } from 'vitest'
import { readChangeSearch, stretchOf, whoOf } from './change-search-params.ts'

test('what cannot be read in an address is ignored', () => {
  expect(
    readChangeSearch({ since: 'week', kind: 'new,nothing,gone', by: 'ann@example.org', where: '' }),
  ).toEqual({
    since: 'week',
    kind: 'new,gone',
    by: 'ann@example.org',
  })
  expect(readChangeSearch({ since: '2026-13-45', until: 7, kind: 'nothing' })).toEqual({})
})

test('days begin and end where the person is', () => {
  const now = new Date(2026, 10, 23, 15)
  expect(stretchOf({}, now)).toEqual({ since: new Date(2026, 10, 22).toISOString() })
  expect(stretchOf({ since: 'week' }, now)).toEqual({ since: new Date(2026, 10, 16).toISOString() })
  expect(stretchOf({ since: '2026-11-01', until: '2026-11-03' }, now)).toEqual({
    since: new Date(2026, 10, 1).toISOString(),
    until: new Date(2026, 10, 4).toISOString(),
  })
})

test('people and keys are all but the system', () => {
  expect(whoOf({ by: 'people' })).toEqual({ bySystem: false })
  expect(whoOf({ by: 'ann@example.org' })).toEqual({ changedBy: 'ann@example.org' })
  expect(whoOf({})).toEqual({})
})
