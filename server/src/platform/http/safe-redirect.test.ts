import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeRedirectPath } from './safe-redirect.ts'

test.each(['/', '/assets', '/assets?q=a%20b&x=//y', '/a/b#c', '/assets/%2F%2Fevil.example'])(
  '%s stays',
  (path) => {
    expect(safeRedirectPath(path)).toBe(path)
  },
)

test.each([
  '',
  'assets',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  ' //evil.example',
  '/a\\..\\..\\evil',
  '/\u0000/evil.example',
])('%j leads home', (text) => {
  expect(safeRedirectPath(text)).toBe('/')
})

test('whatever is given, a browser stays on the site', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '@',
    ':',
    '//',
    '\t',
    '\n',
    ' ',
    'evil.example',
    'https:',
    '?',
    '#',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 8 }), (pieces) => {
      const site = 'https://rollcall.example'
      expect(new URL(safeRedirectPath(pieces.join('')), site).origin).toBe(site)
    }),
  )
})
