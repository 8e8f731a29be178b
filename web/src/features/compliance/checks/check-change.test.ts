import { expect, test } from 'vitest'
import { movesOf } from './check-change.ts'

test('a preview is a sentence of what changes, without what stays', () => {
  expect(
    movesOf([
      { before: 'ok', after: 'ok', assets: 2_000 },
      { before: 'not_in_scope', after: 'unknown', assets: 1_200 },
      { before: 'ok', after: 'failed', assets: 3 },
    ]),
  ).toBe('1,200 not in scope → unknown, 3 pass → fail')
  expect(movesOf([{ before: 'failed', after: 'failed', assets: 1 }])).toBe('')
})
