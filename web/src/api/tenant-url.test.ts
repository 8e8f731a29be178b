import { expect, test } from 'vitest'
import { inTenant, tenantSlugOf, tenantRewrite } from './tenant-url.ts'

test.each([
  ['/t/globex/assets', 'globex'],
  ['/t/globex', 'globex'],
  ['/t/globex/', 'globex'],
  ['/assets', undefined],
  ['/t/', undefined],
  ['/targets/globex', undefined],
  ['/x/t/globex/assets', undefined],
])('%s is in the organisation %s', (path, slug) => expect(tenantSlugOf(path)).toBe(slug))

test('an address is made for the organisation, and stays as it is where there is none', () => {
  expect(inTenant('/assets?type=device', 'globex')).toBe('/t/globex/assets?type=device')
  expect(tenantRewrite(undefined).output({ url: new URL('http://here/assets') }).pathname).toBe('/assets')
})

test.each([
  ['/t/globex/assets/1', '/assets/1'],
  ['/t/globex/', '/'],
  ['/sign-in', '/sign-in'],
])('in globex the browser shows %s for the route %s', (shown, route) => {
  const { input, output } = tenantRewrite('globex')
  expect(input({ url: new URL(`http://here${shown}`) }).pathname).toBe(route)
  expect(output({ url: new URL(`http://here${route}`) }).pathname).toBe(shown)
})

test.each([
  ['/t/globex', '/'],
  ['/t/other/assets', '/t/other/assets'],
  ['/t/globexes/assets', '/t/globexes/assets'],
])('in globex the address %s is the route %s', (shown, route) =>
  expect(tenantRewrite('globex').input({ url: new URL(`http://here${shown}`) }).pathname).toBe(route),
)
