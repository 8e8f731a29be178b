import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import type { Route } from '../src/platform/http/route.ts'
import type { Answer, Caller } from './support/http/api-client.ts'
import { rateLimitHeaders } from './support/http/error-response.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { things } from './support/app/example-feature.ts'

const all = [...features, things]
const shared = sharedTestApp({ features: all })
let admin: Caller
beforeAll(async () => {
  admin = shared().as(await shared().key(await shared().newTenant()))
})

const routes = all
  .flatMap(({ rest }) => rest ?? [])
  .filter(({ path }) => path !== '/things/crash')
  .map((route) => [`${route.method} ${route.path}`, route] as const)
const pathOf = (route: Route, id: string = randomUUID()) => `/api/v1${route.path.replaceAll(/:\w+/g, id)}`

/** Never an accident, never a trace of the inside; a refusal is flat and has the three headers. */
function complaintsAbout({ status, headers, body, text }: Answer<unknown>): string[] {
  const complaints = [
    status >= 500 && `status ${status}`,
    /\bat [^ ]+ \(|node_modules|\.ts:\d|SELECT|syntax error at/.test(text) && 'shows its inside',
    Object.keys(rateLimitHeaders).some((name) => !/^\d+$/.test(headers[name] ?? '')) && 'lacks a rate header',
    status >= 400 && !isFlat(body) && 'is not flat',
  ]
  return complaints.filter((it) => it !== false)
}

function isFlat(body: unknown): boolean {
  const { error, message, ...rest } = (body ?? {}) as Record<string, unknown>
  return typeof error === 'string' && typeof message === 'string' && Object.keys(rest).length === 0
}

const values: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['half an object', '{"'],
  ['two values', '{}{}'],
  ['a comment', '{/**/}'],
  ['NaN', '{"name":NaN}'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '-1'],
  ['a deep list', '['.repeat(500_000)],
  ['a deep value', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['a string of 10^6', JSON.stringify({ name: 'x'.repeat(1_000_000), type: 'x', target: 'x' })],
  ['a megabyte', JSON.stringify({ name: 'x'.repeat(1_048_576) })],
  [
    'many members',
    JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))),
  ],
  ['NUL', '{"name":"a\\u0000b","type":"a\\u0000b","target":"a\\u0000b"}'],
  ['half a pair', '{"name":"\\ud800","type":"\\udc00","target":"\\ud800"}'],
  ['a huge number', '{"name":1e400,"type":1e400,"target":-1e400}'],
  ['a great number', `{"name":${'9'.repeat(400)},"type":9007199254740993,"target":1e308}`],
  ['a negative number', '{"name":-1,"type":-1,"target":-1}'],
  ['truth', '{"name":true,"type":false,"target":true}'],
  ['objects', '{"name":{},"type":{"a":1},"target":{}}'],
  ['lists', '{"name":[],"type":["sweep"],"target":[null]}'],
  ['prototypes', '{"__proto__":{"x":1},"constructor":{"prototype":{}},"name":"x"}'],
  ['formulas', `{"name":"=1+1","type":"' or 1=1 --","target":"'; drop table assets; --"}`],
  ['spaces', '{"name":"   ","type":" ","target":"\\u2003"}'],
]

test.each(routes)('%s takes no harm from bodies', async (_, route) => {
  const complaints: string[] = []
  for (const [what, body] of values) {
    const sent = { body, headers: { 'content-type': 'application/json' } }
    const answer = await admin.send(route.method, pathOf(route), route.method === 'GET' ? {} : sent)
    complaints.push(...complaintsAbout(answer).map((it) => `${what}: ${it}`))
  }
  const broken = {
    body: Buffer.from('7b226e616d65223a22ff227d', 'hex'),
    headers: { 'content-type': 'application/json' },
  }
  const answer = await admin.send(route.method, pathOf(route), route.method === 'GET' ? {} : broken)
  expect([...complaints, ...complaintsAbout(answer)]).toEqual([])
})

test.each(routes)('%s takes no harm from any JSON', async (_, route) => {
  const names = fc.constantFrom('name', 'type', 'target', 'id', 'limit')
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }))),
  )
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const sent = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      const answer = await admin.send(route.method, pathOf(route), route.method === 'GET' ? {} : sent)
      expect(complaintsAbout(answer)).toEqual([])
    }),
    { numRuns: 30 },
  )
})

const hostileTexts = [
  '',
  ' ',
  '%',
  '%%',
  '_',
  '\\',
  "'",
  '"',
  '%00',
  '%FF%FE',
  '%ED%A0%80',
  '%zz',
  '%',
  '-1',
  '1e400',
  '9'.repeat(400),
  'NaN',
  '..',
  '%2e%2e%2f',
  '%2F',
  '%0D%0AX-Injected:%201',
  "'%20or%201=1%20--",
  '{}',
  '[]',
  '%F0%9F%92%A9',
  'x'.repeat(9_000),
]

test.each(routes)('%s takes no harm from its query', async (_, route) => {
  const names = new Set([
    ...Object.keys((route.shape.query as { properties?: object } | undefined)?.properties ?? {}),
    'limit',
    'offset',
    'q',
    'format',
  ])
  const complaints: string[] = []
  for (const name of names)
    for (const text of hostileTexts) {
      const answer = await admin.send(
        route.method,
        `${pathOf(route)}?${name}=${text}&${name}=${text.slice(0, 50)}`,
      )
      const single = await admin.send(route.method, `${pathOf(route)}?${name}=${text}`)
      for (const it of [answer, single])
        complaints.push(...complaintsAbout(it).map((complaint) => `${name}=${text}: ${complaint}`))
      expect(single.headers).not.toHaveProperty('x-injected')
    }
  expect(complaints).toEqual([])
})

test.each(routes.filter(([, { path }]) => path.includes(':')))(
  '%s takes no harm from its path',
  async (_, route) => {
    const complaints: string[] = []
    for (const text of hostileTexts) {
      const answer = await admin.send(route.method, pathOf(route, text))
      complaints.push(...complaintsAbout(answer).map((it) => `${text}: ${it}`))
    }
    expect(complaints).toEqual([])
  },
)

test('unknown routes and methods', async () => {
  const paths = ['/', '/api', '/api/v1', '/api/v1/', '/api/v2/assets', '/api/v1//assets', '/API/v1/assets']
  const complaints: string[] = []
  for (const method of [
    'GET',
    'POST',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'MKCALENDAR',
    'QUERY',
    'PURGE',
    'M-SEARCH',
  ])
    for (const path of paths) {
      // tells people without a browser where the app and the API are
      if (method === 'GET' && path === '/') continue
      const answer = await admin.send(method, path)
      if (answer.status !== 404) complaints.push(`${method} ${path}: ${answer.status}`)
      complaints.push(...complaintsAbout(answer).map((it) => `${method} ${path}: ${it}`))
    }
  expect(complaints).toEqual([])
})

test('after all that the server still answers', async () => {
  expect((await admin.get('/things')).status).toBe(200)
})
