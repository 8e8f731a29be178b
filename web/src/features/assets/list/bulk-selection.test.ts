import { expect, test } from 'vitest'
import { EVERYTHING, NOTHING, select } from '#ui/table/selection.ts'
import { bulkSelectionOf } from './bulk-selection.ts'

test('named assets are named, all that match are meant by the condition of the list', () => {
  expect(bulkSelectionOf(select(NOTHING, ['a', 'b'], true), { where: 'tag = x' })).toEqual({
    assetIds: ['a', 'b'],
  })
  expect(bulkSelectionOf(EVERYTHING, {})).toEqual({ where: 'archived = no' })
  expect(bulkSelectionOf(EVERYTHING, { where: 'a = 1 or b = 2', search: 'web' })).toEqual({
    where: '(a = 1 or b = 2) and "web"',
  })
})

test('what was taken away is left out, in lists that the language takes', () => {
  const ids = Array.from({ length: 501 }, (_, at) => `id-${at}`)
  const { where = '' } = bulkSelectionOf(select(EVERYTHING, ids, false), { where: 'tag = x' })
  expect(where).toMatch(/^tag = x and not id in \(id-0, .*id-499\) and not id in \(id-500\)$/)
})
