import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { features } from '../../../app.ts'
import { openApiDocument } from '../../api-reference/openapi.ts'
import { restError } from '#test/support/http/error-response.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { route } from '../route.ts'

const deprecated = {
  since: '2026-03-14',
  sunset: '2027-04-01',
  link: '/docs/api/changes',
}
const old = route(
  'GET',
  '/old-things/:id',
  { summary: 'An old thing', reply: Type.Object({}), deprecated },
  async () => ({ json: {} }),
)
/** Without the gauges of features, which other tests read. */
const others = features.map((it) => ({ ...it, gauges: [] }))
const withOld = { features: [...others, { name: 'old-things', tables: {}, rest: [old] }] }
const headers = {
  deprecation: '@1773446400',
  sunset: 'Thu, 01 Apr 2027 00:00:00 GMT',
  link: '</docs/api/changes>; rel="deprecation"; type="text/html"',
}
const PATH = '/old-things/11111111-2222-4333-8444-555555555555'

test('a deprecated endpoint says so in three headers, refusals included; others do not', async () => {
  const { as, key, newTenant } = await testApp({ ...withOld, now: () => new Date('2026-06-01') })
  const caller = as(await key(await newTenant()))
  expect(await caller.get(PATH)).toMatchObject({ status: 200, headers })
  expect(await caller.head(PATH)).toMatchObject({ status: 200, headers })
  expect(await as().get(PATH)).toMatchObject({ status: 401, headers })
  const other = await caller.get('/assets')
  for (const name of Object.keys(headers)) expect(other.headers[name]).toBeUndefined()
})

test('from its sunset on it is gone, for whoever has a key', async () => {
  let now = new Date('2027-03-31T23:59:59.999Z')
  const { as, key, newTenant } = await testApp({ ...withOld, now: () => now })
  const caller = as(await key(await newTenant(), ['recognition:read']))
  expect((await caller.get(PATH)).status).toBe(403)
  now = new Date('2027-04-01T00:00:00Z')
  const gone = await caller.get(PATH)
  expect(gone).toEqual(restError(410, 'gone', expect.stringContaining('/docs/api/changes')))
  expect(gone.headers).toMatchObject(headers)
  expect((await as().get(PATH)).status).toBe(401)
})

test('requests to it are counted by the prefix of the key', async () => {
  const { as, key, newTenant } = await testApp({ ...withOld, now: () => new Date('2026-06-01') })
  const secret = await key(await newTenant())
  for (let n = 0; n < 2; n += 1) await as(secret).get(PATH)
  await as().get(PATH)
  await as(secret).get('/assets')
  const { text } = await as().send('GET', '/metrics')
  const lines = text.split('\n').filter((line) => line.startsWith('rollcall_http_deprecated_requests_total{'))
  expect(lines).toEqual([
    `rollcall_http_deprecated_requests_total{method="GET",route="/api/v1/old-things/:id",key="${secret.slice(0, 8)}"} 2`,
  ])
})

test('the API document marks it, with the answer after its sunset', () => {
  const document = openApiDocument([old], {
    title: 't',
    version: '1',
    scopeOf: () => 'read',
    confinedKeys: { name: 'k', header: 'X-K', rateHeaderPrefix: 'X-K' },
  }) as { paths: Record<string, Record<string, unknown>> }
  expect(document.paths['/old-things/{id}']?.['get']).toMatchObject({
    deprecated: true,
    responses: { 410: { $ref: '#/components/responses/410' } },
  })
})
