import { expect, test } from 'vitest'
import { usesInWords } from './group-uses.ts'

const asks = (kind: string, name = '') => ({ groupId: 'g', kind, id: `${kind} ${name}`, name })

test.each([
  [[], ''],
  [[asks('flow', 'Tickets')], 'flow Tickets'],
  [[asks('view')], 'a saved view'],
  [[asks('role', 'Oslo'), asks('view'), asks('view', 'b')], 'role Oslo, 2 saved views'],
])('%j is %s', (uses, words) => {
  expect(usesInWords(uses)).toBe(words)
})
