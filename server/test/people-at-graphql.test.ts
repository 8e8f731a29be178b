import { expect, test } from 'vitest'
import { removeUser } from '../src/features/tenancy/members/members.ts'
import { inviteAs } from '../src/features/tenancy/members/invitations.ts'
import type { Ctx } from '../src/platform/context.ts'
import { addressIn, browserAt, browserOf, newPerson, type Browser } from './support/http/browser-session.ts'
import { sharedTestApp } from './support/app/test-app.ts'

const shared = sharedTestApp()

interface Answer {
  data?: Record<string, unknown>
  errors?: { message: string; extensions: { code: string } }[]
}

const ask = async (browser: Browser, ctx: Ctx, query: string) =>
  await browser.send<Answer>('POST', await addressIn(ctx, '/graphql'), { query })

const MAKE_KEY = 'mutation { createApiKey(name: "k", scopes: [read]) { apiKey { name } } }'
const KEYS = '{ apiKeys { name } }'

test('a person asks with a session; nobody asks without one, with half of one, or with a key', async () => {
  const ctx = await shared().newTenant()
  const browser = await browserOf(shared(), await newPerson(shared(), ctx))
  expect((await ask(browser, ctx, KEYS)).body).toEqual({ data: { apiKeys: [] } })
  expect((await ask(browserAt(shared()), ctx, KEYS)).status).toBe(401)
  const key = await shared().key(ctx)
  const headers = { 'x-api-key': key, 'x-rollcall': '1', 'content-type': 'application/json' }
  const body = JSON.stringify({ query: KEYS })
  for (const who of [browser, browserAt(shared())])
    expect((await who.sendRaw('POST', await addressIn(ctx, '/graphql'), { headers, body })).status).toBe(403)
})

test.each([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['JSON without the header', { 'content-type': 'application/json' }],
  [
    'another origin',
    { 'content-type': 'application/json', 'x-rollcall': '1', origin: 'https://evil.example' },
  ],
])('CSRF: %s from another site asks nothing', async (_, headers) => {
  const ctx = await shared().newTenant()
  const browser = await browserOf(shared(), await newPerson(shared(), ctx))
  const { status } = await browser.sendRaw('POST', await addressIn(ctx, '/graphql'), {
    headers,
    body: JSON.stringify({ query: MAKE_KEY }),
  })
  expect([403, 415]).toContain(status)
  expect((await ask(browser, ctx, KEYS)).body.data).toEqual({ apiKeys: [] })
})

test('a viewer may look and not touch, and whoever may not look is told which permission it takes', async () => {
  const ctx = await shared().newTenant()
  const viewer = await browserOf(shared(), await newPerson(shared(), ctx, { isAdmin: false }))
  for (const [query, permission] of [
    [MAKE_KEY, 'api_keys:write'],
    [KEYS, 'api_keys:read'],
    ['{ webhooks { id } }', 'webhooks:read'],
    ['{ users { id } }', 'users:read'],
  ] as const) {
    const { body } = await ask(viewer, ctx, query)
    expect(body.errors).toMatchObject([
      { message: `permission required: ${permission}`, extensions: { code: 'forbidden' } },
    ])
  }
})

test('a person of two tenants sees in each what is its own, with the role they have there, at the same time', async () => {
  const [here, there] = [await shared().newTenant(), await shared().newTenant()]
  const person = await newPerson(shared(), here)
  const browser = await browserOf(shared(), person)
  await ask(browser, here, MAKE_KEY)
  const { token } = await inviteAs(there, person.email, 'operator')
  await browser.send('POST', '/session/invitation/accept', { token })
  expect((await ask(browser, there, KEYS)).body.data).toEqual({ apiKeys: [] })
  expect((await ask(browser, there, MAKE_KEY)).body.errors).toMatchObject([
    { extensions: { code: 'forbidden' } },
  ])
  expect((await ask(browser, here, KEYS)).body.data).toMatchObject({ apiKeys: [{ name: 'k' }] })
})

test('whoever is removed asks nothing more, with the session they have', async () => {
  const ctx = await shared().newTenant()
  await newPerson(shared(), ctx)
  const person = await newPerson(shared(), ctx)
  const browser = await browserOf(shared(), person)
  await removeUser(ctx, person.id)
  expect(await ask(browser, ctx, KEYS)).toMatchObject({ status: 404, body: { error: 'tenant_not_found' } })
})
