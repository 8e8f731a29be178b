import { expect, test } from 'vitest'
import { fileSize } from './file-size.ts'

test.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_499, '1 kB'],
  [999_999, '1,000 kB'],
  [3_440_000, '3.4 MB'],
])('%i is %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text)
})
