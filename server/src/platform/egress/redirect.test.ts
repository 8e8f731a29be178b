import { expect, test } from 'vitest'
import { redirect } from './redirect.ts'

const from = { url: new URL('https://a.example/x/hook?q=1'), method: 'POST' as const, isAway: false }

test.each([
  [301, '/y', 'https://a.example/y', 'POST'],
  [302, 'y', 'https://a.example/x/y', 'POST'],
  [307, '//b.example:8443/y', 'https://b.example:8443/y', 'POST'],
  [308, 'http://b.example/#part', 'http://b.example/', 'POST'],
  [303, 'https://b.example/y', 'https://b.example/y', 'GET'],
  [302, 'https:/y', 'https://a.example/y', 'POST'],
  [302, '?q=2', 'https://a.example/x/hook?q=2', 'POST'],
])('%i to %s goes to %s with %s', (status, location, href, method) => {
  const next = redirect(from, status, location)
  expect(next).toMatchObject({ method, url: { href } })
})

test.each([200, 204, 300, 304, 305, 306, 400, 500])('%i is an answer, not a redirect', (status) => {
  expect(redirect(from, status, '/y')).toBeUndefined()
})

test.each([
  undefined,
  '',
  ['https://b.example/', 'https://c.example/'],
  'javascript:alert(1)',
  'file:///etc/passwd',
  'ftp://b.example/',
  'https://user@b.example/',
  'https://user:secret@b.example/',
  'https://b.example:0/',
  'https://b.example:99999/',
  'https://[::1/',
  'https://',
])('Location %j is not followed', (location) => {
  expect(redirect(from, 302, location)).toBe('refused')
})

test.each([
  ['/y', false],
  ['https://a.example:443/y', false],
  ['https://b.example/y', true],
  ['https://a.example:8443/y', true],
  ['http://a.example/y', true],
])('%s leads away: %j', (location, isAway) => {
  expect(redirect(from, 307, location)).toMatchObject({ isAway })
  expect(redirect({ ...from, isAway: true }, 307, location)).toMatchObject({ isAway: true })
})
