import { beforeAll, expect, test } from 'vitest'
import type { Row } from '#platform/conditions/field.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { macSearchSpelling } from '../listing/search-text.ts'
import { conditionParts } from './asset-conditions-store.ts'

const home = sharedTestApp()
let ctx: Ctx
beforeAll(async () => {
  ctx = await home().newTenant()
})

const row: Row = {
  ip: ['10.1.2.3', '2001:db8::7'],
  // spelled as they are stored
  'search text': searchSpelling('web-1 büro'),
  'search attributes': `${searchSpelling('sn-77')} ${macSearchSpelling('3c:2a:f4:00:00:01')}`,
}

test.each([
  ['10.1.2.0/24', true],
  ['10.9.0.0/16', false],
  ['2001:db8::/32', true],
  ['WEB-1', true],
  ['büro', true],
  ['SN-77', true],
  ['3c:2a:f4:00:00:01', true],
  ['3c:2a:f4:00:00:02', false],
  ['db-1', false],
])('a row in memory is found by %s: %s', (text, isFound) => {
  const [part] = conditionParts(ctx, [])
  expect(part?.rows?.search?.test(row, text)).toBe(isFound)
  expect(part?.rows?.search?.test({}, text)).toBe(false)
})
