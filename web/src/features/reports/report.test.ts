import { expect, test } from 'vitest'
import { bytesText } from './report.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [12_345, '12 kB'],
  [1_701_390, '1.7 MB'],
  [52_600_000_000, '53 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
