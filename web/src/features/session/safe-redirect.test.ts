import { expect, test } from 'vitest'
import { safeRedirectPath } from './safe-redirect.ts'

const here = 'https://rollcall.example'

test.each([
  ['/assets?type=device', '/assets?type=device'],
  ['/assets/../duplicates', '/duplicates'],
  [undefined, '/'],
  ['', '/'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['https:evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/assets/..//evil.example', '/'],
])('after signing in, %s leads to %s', (wanted, path) => {
  expect(safeRedirectPath(wanted, here)).toBe(path)
})
