import { expect, test } from 'vitest'
import { readOverrideSearch, statesOf } from './override-search-params.ts'

test('without a state, what waits for approval is listed beside what is in force', () => {
  expect(statesOf(readOverrideSearch({}))).toEqual(['active', 'proposed'])
})

test('a state is asked for as the address has it; all is no condition', () => {
  expect(statesOf(readOverrideSearch({ state: 'proposed' }))).toEqual(['proposed'])
  expect(statesOf(readOverrideSearch({ state: 'all' }))).toEqual([])
})

test('what is not understood is left out', () => {
  expect(readOverrideSearch({ state: 'waiting', more: 1 })).toEqual({})
})
