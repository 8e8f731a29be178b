import { expect, test } from 'vitest'
import { newSecret } from '../secrets/random-keys.ts'
import { CELL_MAX, cellOfKey, keyOfCell, NUMBERS_EACH } from './cell.ts'

test('a key of a cell has the form of every key, and says of which cell it is', () => {
  for (const cell of [0, 3, 255, CELL_MAX]) {
    const key = keyOfCell(newSecret(), cell)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(cellOfKey(key)).toBe(cell)
  }
})

test('keys of before, and keys that were mistyped, say nothing', () => {
  expect(keyOfCell('ab'.repeat(32), undefined)).toBe('ab'.repeat(32))
  for (let n = 0; n < 200; n += 1) expect(cellOfKey(newSecret())).toBe(undefined)
  const key = keyOfCell(newSecret(), 7)
  const other = key.startsWith('0') ? '1' : '0'
  expect(cellOfKey(other + key.slice(1))).toBe(undefined)
})

test('the numbers of all cells are integers that a double holds', () => {
  expect((CELL_MAX + 1) * NUMBERS_EACH).toBe(Number.MAX_SAFE_INTEGER + 1)
})
