import { expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { exampleOf } from '#platform/api-reference/examples.ts'
import type { JsonSchema } from '#platform/api-reference/json-schema.ts'
import { browserAt, browserOf, newPerson } from './support/http/browser-session.ts'
import { sharedTestApp } from './support/app/test-app.ts'

const shared = sharedTestApp()

const routes = features
  .flatMap(({ session }) => session ?? [])
  .map((it) => [`${it.method} /session${it.path}`, it] as const)
const own = routes.filter(([, { isLink }]) => !isLink)
/** What a stranger may ask; everything else is for people who are signed in. */
const FOR_STRANGERS = new Set([
  'GET /session',
  'POST /session',
  'DELETE /session',
  'POST /session/second-factor',
  'POST /session/password-reset',
  'POST /session/invitation',
  'POST /session/invitation/join',
  'POST /session/sign-on',
])

/** One that fits the schema; no route of a session has a field that may be left out. */
const bodyOf = (schema: JsonSchema | undefined): string => JSON.stringify(schema ? exampleOf(schema) : {})

const json = { 'content-type': 'application/json', 'x-rollcall': '1' }
const pathOf = ({ path }: { path: string }) => `/session${path.replace(':id', 'x')}`

test.each(own)('%s refuses pages of other sites and API keys, before it reads anything', async (_, route) => {
  const ctx = await shared().newTenant()
  const browser = await browserOf(shared(), await newPerson(shared(), ctx))
  const hostile: Record<string, string>[] = [
    { 'content-type': 'application/json' },
    { ...json, origin: 'https://evil.example' },
    { ...json, origin: 'null' },
    { ...json, 'sec-fetch-site': 'cross-site' },
    { ...json, 'sec-fetch-site': 'same-site' },
    { ...json, 'x-api-key': await shared().key(ctx) },
  ]
  for (const headers of hostile) {
    const body = route.method === 'POST' ? { body: bodyOf(route.body) } : {}
    const { status, headers: answered } = await browser.sendRaw(route.method, pathOf(route), {
      headers,
      ...body,
    })
    expect([status, answered['set-cookie']]).toEqual([403, undefined])
  }
  expect((await browser.send<{ state: string }>('GET', '/session')).body.state).toBe('signed_in')
})

test.each(own.filter(([, { body }]) => body))(
  '%s reads JSON alone, and no field that it does not know',
  async (_, route) => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { ...json, 'content-type': type }
      expect(
        (await browserAt(shared()).sendRaw('POST', pathOf(route), { headers, body: 'a=b' })).status,
      ).toBe(415)
    }
    const body = JSON.stringify({ ...(JSON.parse(bodyOf(route.body)) as object), isAdmin: 'x' })
    const answer = await browserAt(shared()).sendRaw('POST', pathOf(route), { headers: json, body })
    expect([answer.status, answer.body]).toMatchObject([400, { message: 'isAdmin: is not a known field' }])
  },
)

test.each(own.filter(([name]) => !FOR_STRANGERS.has(name)))(
  '%s is for people who are signed in',
  async (_, route) => {
    const body = route.method === 'POST' ? { body: bodyOf(route.body) } : {}
    const answer = await browserAt(shared()).sendRaw(route.method, pathOf(route), { headers: json, ...body })
    expect([answer.status, answer.body]).toMatchObject([401, { error: 'unauthorized' }])
  },
)

test('what strangers may ask is there', () => {
  const names = new Set<string>(routes.map(([name]) => name))
  expect([...FOR_STRANGERS].filter((name) => !names.has(name))).toEqual([])
})
