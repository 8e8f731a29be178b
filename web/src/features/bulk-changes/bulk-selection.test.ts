import { expect, test } from 'vitest'
import { EVERYTHING, NOTHING, select } from '#ui/table/selection.ts'
import { selected } from './bulk-selection.ts'

test('some rows are named', () => {
  expect(selected(select(NOTHING, ['a', 'b'], true), 'os = x')).toEqual({ ids: ['a', 'b'] })
})

test('all that match are what the list means, but for those taken out', () => {
  expect(selected(EVERYTHING, 'archived = no')).toEqual({ where: 'archived = no' })
  const but = select(EVERYTHING, ['a', 'b'], false)
  expect(selected(but, 'os = x or os = y')).toEqual({
    where: '(os = x or os = y) and not id in (a, b)',
  })
})

test('more taken out than a list of values may have make several lists', () => {
  const ids = Array.from({ length: 501 }, (_, at) => `id-${at}`)
  const but = selected(select(EVERYTHING, ids, false), 'archived = no')
  expect('where' in but && but.where.match(/not id in/g)).toHaveLength(2)
})
