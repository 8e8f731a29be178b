import { expect, test } from 'vitest'
import { changesOf, daysUntil, formOf, type AssetRecord } from './record-fields.ts'

const record = {
  owner: 'Ada',
  place: { id: 'p', path: 'Oslo' },
  placeFrom: 'network',
  price: '9.00',
  origins: [],
} as unknown as AssetRecord

test('only what differs is sent, and an emptied field is cleared', () => {
  const before = formOf(record)
  expect(changesOf(before, before)).toEqual({})
  expect(changesOf(before, { ...before, owner: ' ', state: 'in_use' })).toEqual({
    owner: null,
    state: 'in_use',
  })
})

test('a place by address is not in the form, a recorded one is', () => {
  expect(formOf(record).placeId).toBe('')
  expect(formOf({ ...record, placeFrom: 'person' }).placeId).toBe('p')
})

test('days until a date', () => {
  expect(daysUntil('2026-03-01', '2026-02-28')).toBe(1)
  expect(daysUntil('2026-02-27', '2026-02-28')).toBe(-1)
})
