import { expect, test } from 'vitest'
import { totalOf } from './total-of-page.ts'

test.each([
  { found: 50, offset: 0, counted: 120, total: 120, why: 'a full page' },
  { found: 50, offset: 0, counted: 49, total: 50, why: 'one is gone since the page was read' },
  { found: 50, offset: 100, counted: 140, total: 150, why: 'several are gone since' },
  { found: 20, offset: 100, counted: 130, total: 120, why: 'some have come since the last page was read' },
  { found: 0, offset: 0, counted: 3, total: 0, why: 'some have come since nothing was found' },
  { found: 0, offset: 100, counted: 80, total: 80, why: 'behind the end' },
  { found: 0, offset: 100, counted: 130, total: 100, why: 'some have come behind the end' },
])('$why: $total', async ({ found, offset, counted, total }) => {
  expect(await totalOf(found, { limit: 50, offset }, async () => counted)).toBe(total)
})

test('of a page that is the last nothing is counted', async () => {
  const count = () => Promise.reject(new Error('counted'))
  expect(await totalOf(7, { limit: 50, offset: 50 }, count)).toBe(57)
})
