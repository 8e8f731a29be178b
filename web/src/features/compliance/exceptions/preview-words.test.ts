import { expect, test } from 'vitest'
import { changesInWords, coveredInWords } from './preview-words.ts'

test.each([
  [{ assets: null, failing: 3, excepted: 0 }, 'Covers 3 failing assets.'],
  [{ assets: 20, failing: 3, excepted: 1 }, 'Covers 3 failing assets of 20, 1 of them excepted already.'],
  [{ assets: 1, failing: 1, excepted: 0 }, 'Covers 1 failing asset.'],
  [{ assets: 4, failing: 0, excepted: 0 }, 'Covers nothing now: none of 4 assets fails.'],
  [{ assets: 0, failing: 0, excepted: 0 }, 'Covers nothing now.'],
])('%j is said in words', (preview, words) => expect(coveredInWords(preview)).toBe(words))

test('controls that change are named, the first of them', () => {
  const control = (controlId: string) => ({
    framework: 'f',
    frameworkTitle: 'F',
    controlId,
    before: 'fail' as const,
    after: 'warning' as const,
  })
  expect(changesInWords([])).toBe('No control changes its status.')
  expect(changesInWords(['A', 'B', 'C', 'D', 'E'].map(control))).toBe(
    'Controls that change: A (fail → warning), B (fail → warning), C (fail → warning), D (fail → warning) and 1 more.',
  )
})
