import { expect, test } from 'vitest'
import { searchSpelling } from './normalize-text.ts'

const COMPOSED = 'B\u00fcro-Drucker'
const DECOMPOSED = 'Bu\u0308ro-Drucker'

test.each([
  [COMPOSED, DECOMPOSED],
  [DECOMPOSED, COMPOSED],
  ['ΒΑΣΙΛΗΣ-1', 'ΒΑΣ'],
  ['Βασίλης', 'ΒΑΣΊΛΗΣ'],
  ['ναος', 'ΝΑΟΣ'],
])('%j is found by %j', (text, term) => {
  expect(searchSpelling(text)).toContain(searchSpelling(term))
})

test('a sign is no letter and no other sign', () => {
  expect(searchSpelling('web-1.corp_x:5 100%\\')).toBe('webZ1QcorpJxX5 100%\\')
})
