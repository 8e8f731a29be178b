import { expect, test } from 'vitest'
import { labelsPath } from './labels-path.ts'

test('labels of the selected assets, or of all that match', () => {
  expect(labelsPath(2, { assetIds: ['a', 'b'] })).toBe('/files/labels.pdf?ids=a%2Cb')
  expect(labelsPath(1_200, { where: 'site = Oslo' })).toBe('/files/labels.pdf?where=site+%3D+Oslo')
})

test('more than can be printed at once have no path', () => {
  expect(labelsPath(1_201, { where: 'site = Oslo' })).toBeUndefined()
  expect(labelsPath(151, { assetIds: Array.from({ length: 151 }, String) })).toBeUndefined()
  expect(labelsPath(2, { where: 'x'.repeat(4_097) })).toBeUndefined()
})
