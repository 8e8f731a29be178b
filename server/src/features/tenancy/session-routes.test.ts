import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import {
  browserAt,
  browserOf,
  newPerson,
  PASSWORD,
  type Browser,
} from '#test/support/http/browser-session.ts'
import { testApp, sharedTestApp } from '#test/support/app/test-app.ts'
import { sha256 } from '#platform/secrets/random-keys.ts'
import { restRecordFactories } from '#test/support/api-coverage/rest-record-factories.ts'
import { firstAnswer, sendRaw } from '#test/support/http/raw-http.ts'
import { createUser } from './tenancy.ts'

interface Look {
  state: string
  user: Record<string, unknown>
  tenant: { id: string; slug: string } | null
  tenants: { id: string; role: string }[]
  role: { name: string }
  permissions: string[]
}

const shared = sharedTestApp()
const look = async (browser: Browser) => (await browser.send<Look>('GET', '/session')).body
const isIn = async (browser: Browser) => (await look(browser)).state === 'signed_in'
const tokenOf = ({ cookies }: Browser) => cookies.get('rollcall_session') ?? ''

async function admin() {
  const ctx = await shared().newTenant()
  const person = await newPerson(shared(), ctx)
  return { ctx, person, browser: await browserOf(shared(), person) }
}

test('a person signs in and sees who and where they are, and what they may', async () => {
  const { ctx, person, browser } = await admin()
  expect(await look(browser)).toMatchObject({
    state: 'signed_in',
    user: { id: person.id, email: person.email, isManaged: false, hasSecondFactor: false, isSignedOn: false },
    tenant: { id: ctx.tenantId },
    tenants: [{ id: ctx.tenantId, role: 'Admin' }],
    role: { name: 'Admin' },
    permissions: expect.arrayContaining(['api_keys:write', 'webhooks:write', 'audit:read']),
  })
  const { items } = await searchAudit(ctx, { limit: 1, offset: 0 })
  expect(items).toMatchObject([
    {
      action: 'user.signed_in',
      actor: { kind: 'user', id: person.id, name: person.email },
      address: '127.0.0.1',
    },
  ])
})

test('a stranger is told so, without an error', async () => {
  const answer = await browserAt(shared()).send<Look>('GET', '/session')
  expect([answer.status, answer.body]).toEqual([200, { state: 'signed_out', signOn: null }])
})

test('the token is kept as a digest, and nowhere shown', async () => {
  const { browser } = await admin()
  const { runtime } = shared()
  const rows = await runtime.system.db.all(
    sql<{ row: string }>`select to_jsonb(sessions)::text as row from sessions`,
  )
  const text = rows.map(({ row }) => row).join()
  expect(tokenOf(browser)).toMatch(/^[0-9a-f]{64}$/)
  expect(text).not.toContain(tokenOf(browser))
  expect(text).toContain(sha256(tokenOf(browser)).toString('hex'))
})

test.each([
  ['http', undefined, 'Path=/; HttpOnly; SameSite=Lax'],
  ['https', 'https://rollcall.example', 'Path=/; HttpOnly; SameSite=Lax; Secure'],
])(
  'over %s the cookie is for this site, no script and no longer than the browser',
  async (_, publicUrl, flags) => {
    const it = await testApp({ http: { publicUrl } })
    const person = await newPerson(it, await it.newTenant())
    const { headers } = await browserAt(it).send('POST', '/session', {
      email: person.email,
      password: PASSWORD,
    })
    const cookie = headers['set-cookie'] as unknown
    expect([cookie].flat()).toEqual([
      // the device is sent where people sign in alone, and outlives the browser
      expect.stringMatching(
        new RegExp(
          `^rollcall_device=[0-9a-f]{64}; ${flags.replace('Path=/', 'Path=/session')}; Max-Age=15552000$`,
        ),
      ),
      expect.stringMatching(new RegExp(`^rollcall_session=[0-9a-f]{64}; ${flags}$`)),
    ])
  },
)

test('unknown address and wrong password get the same answer', async () => {
  const { person } = await admin()
  const browser = browserAt(shared())
  const wrong = await browser.send('POST', '/session', { email: person.email, password: 'not the password' })
  const unknown = await browser.send('POST', '/session', {
    email: 'nobody@example.org',
    password: 'not the password',
  })
  expect(wrong.status).toBe(401)
  expect(unknown.body).toEqual(wrong.body)
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('fixation: whatever token a browser comes with, it leaves with another', async () => {
  const { person } = await admin()
  const planted = 'a'.repeat(64)
  const victim = browserAt(shared())
  victim.cookies.set('rollcall_session', planted)
  await victim.send('POST', '/session', { email: person.email, password: PASSWORD })
  expect(tokenOf(victim)).not.toBe(planted)
  const attacker = browserAt(shared())
  attacker.cookies.set('rollcall_session', planted)
  expect(await isIn(attacker)).toBe(false)
})

test('fixation: signing in again ends the session that the browser held', async () => {
  const { person, browser } = await admin()
  const before = browserAt(shared())
  before.cookies.set('rollcall_session', tokenOf(browser))
  await browser.send('POST', '/session', { email: person.email, password: PASSWORD })
  expect([await isIn(browser), await isIn(before)]).toEqual([true, false])
})

test('of two session cookies none counts: somebody else set one of them', async () => {
  const { browser } = await admin()
  const cookie = `rollcall_session=${tokenOf(browser)}; rollcall_session=${'b'.repeat(64)}`
  const { body } = await browserAt(shared()).sendRaw<Look>('GET', '/session', {
    headers: { cookie, 'x-rollcall': '1' },
  })
  expect(body.state).toBe('signed_out')
})

test.each([
  ['a form of another site', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['plain text from another site', { 'content-type': 'text/plain' }],
  ['JSON without the header', { 'content-type': 'application/json' }],
  [
    'another Origin',
    { 'content-type': 'application/json', 'x-rollcall': '1', origin: 'https://evil.example' },
  ],
  ['the Origin of a sandbox', { 'content-type': 'application/json', 'x-rollcall': '1', origin: 'null' }],
  [
    'another site, as the browser says',
    { 'content-type': 'application/json', 'x-rollcall': '1', 'sec-fetch-site': 'cross-site' },
  ],
  ['a sister site', { 'content-type': 'application/json', 'x-rollcall': '1', 'sec-fetch-site': 'same-site' }],
])('CSRF: %s changes nothing', async (_, headers) => {
  const { browser } = await admin()
  const body = JSON.stringify({ current: PASSWORD, next: 'a new long password' })
  for (const [method, path] of [
    ['POST', '/session/password'],
    ['DELETE', '/session'],
    ['DELETE', '/session/all'],
  ] as const) {
    const answer = await browser.sendRaw(method, path, { headers, ...(method === 'POST' && { body }) })
    expect([403, 415]).toContain(answer.status)
  }
  expect(await isIn(browser)).toBe(true)
})

test('an API key opens no session door, not even beside a session', async () => {
  const { ctx, browser } = await admin()
  const key = await shared().key(ctx)
  for (const path of ['/session', '/session/all', '/session/sign-on/callback?state=x'])
    expect(
      await browser.sendRaw('GET', path, { headers: { 'x-api-key': key, 'x-rollcall': '1' } }),
    ).toMatchObject({ status: 403, body: { error: 'forbidden' } })
})

test('a session is no API key', async () => {
  const { browser } = await admin()
  expect((await browser.send('GET', '/api/v1/assets')).status).toBe(401)
  const { status } = await browser.sendRaw('GET', '/api/v1/assets', {
    headers: { 'x-api-key': tokenOf(browser) },
  })
  expect(status).toBe(401)
})

test('no answer can be framed, sniffed or kept', async () => {
  const { browser } = await admin()
  for (const path of ['/session', '/session/sign-on/callback?state=x']) {
    const { headers } = await browser.send('GET', path)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  }
})

test('signing out ends the session at the server', async () => {
  const { browser } = await admin()
  const stolen = browserAt(shared())
  stolen.cookies.set('rollcall_session', tokenOf(browser))
  expect((await browser.send('DELETE', '/session')).status).toBe(204)
  expect([tokenOf(browser), await isIn(stolen)]).toEqual(['', false])
})

test('sign out everywhere ends all, and nobody else’s', async () => {
  const { ctx, person, browser } = await admin()
  const other = await browserOf(shared(), person)
  const colleague = await browserOf(shared(), await newPerson(shared(), ctx))
  await browser.send('DELETE', '/session/all')
  expect([await isIn(browser), await isIn(other), await isIn(colleague)]).toEqual([false, false, true])
})

test('one’s own sessions are listed and ended one by one; those of others are not there', async () => {
  const { ctx, person, browser } = await admin()
  const other = await browserOf(shared(), person)
  const colleague = await browserOf(shared(), await newPerson(shared(), ctx))
  interface Sessions {
    sessions: { id: string; isCurrent: boolean; address: string }[]
  }
  const list = async (it: Browser) => (await it.send<Sessions>('GET', '/session/all')).body.sessions
  const mine = await list(browser)
  expect(mine).toHaveLength(2)
  expect(mine.filter((it) => it.isCurrent)).toMatchObject([{ address: '127.0.0.1' }])
  const [theirs] = await list(colleague)
  expect((await browser.send('DELETE', `/session/all/${theirs?.id}`)).status).toBe(404)
  expect((await browser.send('DELETE', '/session/all/nonsense')).status).toBe(404)
  const second = mine.find((it) => !it.isCurrent)
  expect((await browser.send('DELETE', `/session/all/${second?.id}`)).status).toBe(204)
  expect([await isIn(browser), await isIn(other), await isIn(colleague)]).toEqual([true, false, true])
})

test.each([
  ['12 hours of silence', sql`last_seen_at = now() - interval '12 hours 1 second'`],
  ['7 days, however busy', sql`expires_at = now() - interval '1 second'`],
])('a session ends after %s', async (_, change) => {
  const { person, browser } = await admin()
  await shared().runtime.system.db.run(sql`update sessions set ${change} where user_id = ${person.id}`)
  expect(await look(browser)).toMatchObject({ state: 'signed_out' })
})

test('being there keeps a session alive', async () => {
  const { person, browser } = await admin()
  const { db } = shared().runtime.system
  await db.run(
    sql`update sessions set last_seen_at = now() - interval '11 hours' where user_id = ${person.id}`,
  )
  await look(browser)
  const { age } = await db.one(sql<{ age: number }>`
    select extract(epoch from now() - last_seen_at)::float8 as age from sessions where user_id = ${person.id}`)
  expect(age).toBeLessThan(60)
})

test('a body that does not fit is told by its field', async () => {
  const answer = await browserAt(shared()).send('POST', '/session', { email: 'a@b.org' })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', message: 'password: is required' },
  })
})

test('whoever is removed is out with the next request', async () => {
  const { ctx, person, browser } = await admin()
  await createUser(
    { ...shared().runtime.system, tenantId: ctx.tenantId },
    { email: `x-${person.email}`, password: PASSWORD, isAdmin: true },
  )
  const { removeUser } = await import('./members/members.ts')
  await removeUser(ctx, person.id)
  expect(await look(browser)).toMatchObject({
    state: 'signed_in',
    tenant: null,
    tenants: [],
    permissions: [],
  })
})

test('a request that does not say which host it is for is refused', async () => {
  const bytes = 'GET /session HTTP/1.0\r\nx-rollcall: 1\r\n\r\n'
  const answer = firstAnswer(await sendRaw(await shared().address(), bytes))
  expect([answer.status, answer.body]).toMatchObject([400, { message: 'Host: is required' }])
})

test('what a key does is logged with the address it came from', async () => {
  const ctx = await shared().newTenant()
  const key = await shared().key(ctx, ['admin'])
  await shared()
    .as(key)
    .post('/scans', { type: 'sweep', target: await restRecordFactories['targets']?.(ctx) })
  const { items } = await searchAudit(ctx, { limit: 1, offset: 0 })
  expect(items).toMatchObject([{ actor: { kind: 'api_key', name: 'test' }, address: '127.0.0.1' }])
})
