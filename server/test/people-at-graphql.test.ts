import { expect, test } from 'vitest'
import { removeUser } from '../src/features/tenancy/people.ts'
import { inviteAs } from '../src/features/tenancy/invitations.ts'
import { browserAt, browserOf, newPerson, type Browser } from './browser.ts'
import { sharedHouse } from './house.ts'

const shared = sharedHouse()

interface Answer {
  data?: Record<string, unknown>
  errors?: { message: string; extensions: { code: string } }[]
}

const ask = async (browser: Browser, query: string) =>
  await browser.send<Answer>('POST', '/graphql', { query })

const MAKE_KEY = 'mutation { createApiKey(name: "k", scopes: [read]) { apiKey { name } } }'
const KEYS = '{ apiKeys { name } }'

test('a person asks with a session; nobody asks without one, with half of one, or with a key', async () => {
  const ctx = await shared().newTenant()
  const browser = await browserOf(shared(), await newPerson(shared(), ctx))
  expect((await ask(browser, KEYS)).body).toEqual({ data: { apiKeys: [] } })
  expect((await ask(browserAt(shared()), KEYS)).status).toBe(401)
  const key = await shared().key(ctx)
  const headers = { 'x-api-key': key, 'x-rollcall': '1', 'content-type': 'application/json' }
  const body = JSON.stringify({ query: KEYS })
  for (const who of [browser, browserAt(shared())])
    expect((await who.sendRaw('POST', '/graphql', { headers, body })).status).toBe(403)
})

test.each([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['JSON without the header', { 'content-type': 'application/json' }],
  [
    'another origin',
    { 'content-type': 'application/json', 'x-rollcall': '1', origin: 'https://evil.example' },
  ],
])('CSRF: %s from another site asks nothing', async (_, headers) => {
  const browser = await browserOf(shared(), await newPerson(shared(), await shared().newTenant()))
  const { status } = await browser.sendRaw('POST', '/graphql', {
    headers,
    body: JSON.stringify({ query: MAKE_KEY }),
  })
  expect([403, 415]).toContain(status)
  expect((await ask(browser, KEYS)).body.data).toEqual({ apiKeys: [] })
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
    const { body } = await ask(viewer, query)
    expect(body.errors).toMatchObject([
      { message: `permission required: ${permission}`, extensions: { code: 'forbidden' } },
    ])
  }
})

test('whoever goes to another tenant sees that one alone, with the role they have there', async () => {
  const [here, there] = [await shared().newTenant(), await shared().newTenant()]
  const person = await newPerson(shared(), here)
  const browser = await browserOf(shared(), person)
  await ask(browser, MAKE_KEY)
  const { token } = await inviteAs(there, person.email, 'operator')
  await browser.send('POST', '/session/invitation/accept', { token })
  expect((await ask(browser, KEYS)).body.data).toEqual({ apiKeys: [] })
  expect((await ask(browser, MAKE_KEY)).body.errors).toMatchObject([{ extensions: { code: 'forbidden' } }])
  await browser.send('POST', '/session/tenant', { tenantId: here.tenantId })
  expect((await ask(browser, KEYS)).body.data).toMatchObject({ apiKeys: [{ name: 'k' }] })
})

test('whoever is removed asks nothing more, with the session they have', async () => {
  const ctx = await shared().newTenant()
  await newPerson(shared(), ctx)
  const person = await newPerson(shared(), ctx)
  const browser = await browserOf(shared(), person)
  await removeUser(ctx, person.id)
  expect((await ask(browser, KEYS)).status).toBe(403)
})
