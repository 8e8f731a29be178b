import { expect, test } from 'vitest'
import { slugOf } from './tenant-slug.ts'

test.each([
  ['Acme', 'acme'],
  ['Müller & Söhne GmbH', 'muller-sohne-gmbh'],
  ['  --Globex, Inc.-- ', 'globex-inc'],
  ['Ærø 2', 'r-2'],
  ['日本', ''],
  ['', ''],
  [`${'a'.repeat(62)}-b`, 'a'.repeat(62)],
])('%s is %s in links', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
