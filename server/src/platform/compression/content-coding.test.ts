import { expect, test } from 'vitest'
import { preferredCoding } from './content-coding.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', undefined],
  ['*', 'br'],
  ['br;q=0, *', 'zstd'],
  ['br;q=0, gzip', 'gzip'],
  ['*;q=0, gzip;q=0.1', 'gzip'],
  ['br;q=0.1, gzip;q=0.9, zstd;q=0.5', 'gzip'],
  ['br; q = 0.5 ,zstd ; q=0.6', 'zstd'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity;q=0.4', 'gzip'],
  ['br;q=2, zstd;q=-1, gzip;q=nonsense', undefined],
  ['gzip;level=9;q=0.3', 'gzip'],
  [', ,;q=1', undefined],
])('%j is answered with %s', (header, coding) => {
  expect(preferredCoding(header, ['br', 'zstd', 'gzip'])).toBe(coding)
})

test('only what is to be had is chosen', () => {
  expect(preferredCoding('br, zstd, gzip;q=0.2', ['gzip'])).toBe('gzip')
  expect(preferredCoding('br, zstd', ['gzip'])).toBe(undefined)
})
