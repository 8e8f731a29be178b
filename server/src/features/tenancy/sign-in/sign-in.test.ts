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
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { DEVICE_COOKIE, knownDevice } from './known-devices.ts'

const WRONG = 'not the password'

async function person() {
  const it = await testApp({ http: { trustedProxies: ['127.0.0.1'] } })
  return { it, who: await newPerson(it, await it.newTenant()) }
}

/** Answers the status. */
async function attempt(it: TestApp, email: string, password: string, address = '192.0.2.1'): Promise<number> {
  const headers = { 'x-rollcall': '1', 'content-type': 'application/json', 'x-forwarded-for': address }
  const body = JSON.stringify({ email, password })
  return (await browserAt(it).sendRaw('POST', '/session', { headers, body })).status
}

const attempts = async (n: number, one: (n: number) => Promise<number>) => {
  const statuses: number[] = []
  for (let i = 0; i < n; i += 1) statuses.push(await one(i))
  return statuses
}

/** However slow the machine: waits that have begun last a minute longer. */
const hold = ({ runtime }: TestApp) =>
  runtime.system.db.run(sql`
    update wrong_guesses set next_at = next_at + interval '1 minute' where next_at > last_at + interval '1 second'`)

/** As if the last wrong guess had been longer ago. */
const wait = ({ runtime }: TestApp, time: string) =>
  runtime.system.db.run(sql`
    update wrong_guesses set next_at = next_at - ${time}::interval, last_at = last_at - ${time}::interval`)

test('after five wrong passwords from one address even the right one waits there', async () => {
  const { it, who } = await person()
  expect(await attempts(5, () => attempt(it, who.email, WRONG))).toEqual([401, 401, 401, 401, 401])
  await hold(it)
  expect(await attempt(it, who.email, WRONG)).toBe(429)
  expect(await attempt(it, who.email.toUpperCase(), PASSWORD)).toBe(429)
  await wait(it, '70 seconds')
  expect(await attempt(it, who.email, PASSWORD)).toBe(200)
  expect(await attempts(4, () => attempt(it, who.email, WRONG))).toEqual([401, 401, 401, 401])
})

test('a few wrong passwords an hour keep nobody out who comes from elsewhere', async () => {
  const { it, who } = await person()
  for (let n = 0; n < 16; n += 1) {
    await attempt(it, who.email, WRONG)
    await wait(it, '15 minutes')
  }
  await attempt(it, who.email, WRONG)
  await hold(it)
  expect(await attempt(it, who.email, PASSWORD)).toBe(429)
  expect(await attempt(it, who.email, PASSWORD, '198.51.100.7')).toBe(200)
}, 120_000)

/** As if so many had guessed that everything which is counted now has to wait. */
const overrun = ({ runtime }: TestApp) =>
  runtime.system.db.run(sql`
    update wrong_guesses set times = 200, last_at = clock_timestamp(),
      next_at = clock_timestamp() + interval '10 minutes'`)

test('guesses from everywhere slow strangers down, and not a browser in which the person was before', async () => {
  const { it, who } = await person()
  const known = await browserOf(it, who)
  const colleague = await newPerson(it, await it.newTenant())
  const others = await browserOf(it, colleague)
  await attempt(it, who.email, WRONG)
  await overrun(it)
  const from = (browser: Browser, password = PASSWORD) =>
    browser.send('POST', '/session', { email: who.email, password })
  expect(await attempt(it, who.email, PASSWORD, '203.0.113.9')).toBe(429)
  expect((await from(others)).status).toBe(429)
  await known.send('DELETE', '/session')
  expect((await from(known)).status).toBe(200)
  // its own tries are counted, too
  const statuses = await attempts(6, async () => (await from(known, WRONG)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})

test('guesses from everywhere are forgotten one by one', async () => {
  const { it, who } = await person()
  await attempt(it, who.email, WRONG)
  await overrun(it)
  await wait(it, '6 hours')
  await attempts(2, (n) => attempt(it, who.email, WRONG, `203.0.113.${n}`))
  expect(await attempt(it, who.email, PASSWORD, '203.0.113.9')).toBe(200)
})

test('a browser is known under another token after each sign-in, and no more after a new password or a sign-out everywhere', async () => {
  const { it, who } = await person()
  const NEXT = 'quite another password'
  const browser = await browserOf(it, who)
  const first = browser.cookies.get(DEVICE_COOKIE)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  const knows = (token: string | undefined) => knownDevice(it.runtime.system, token, who.email)
  await browser.send('POST', '/session', { email: who.email, password: PASSWORD })
  const second = browser.cookies.get(DEVICE_COOKIE)
  expect([await knows(first), typeof (await knows(second))]).toEqual([undefined, 'string'])
  const elsewhere = await browserOf(it, who)
  await browser.send('POST', '/session/password', { current: PASSWORD, next: NEXT })
  expect(await knows(elsewhere.cookies.get(DEVICE_COOKIE))).toBeUndefined()
  const third = browser.cookies.get(DEVICE_COOKIE)
  expect([await knows(second), typeof (await knows(third))]).toEqual([undefined, 'string'])
  await browser.send('DELETE', '/session')
  expect(await knows(third)).toBeTypeOf('string')
  await browser.send('POST', '/session', { email: who.email, password: NEXT })
  await browser.send('DELETE', '/session/all')
  expect(await knows(browser.cookies.get(DEVICE_COOKIE))).toBeUndefined()
})

test('a password that is right before its second factor makes no browser known', async () => {
  const { it, who } = await person()
  await it.runtime.system.db.run(
    sql`update users set totp_secret = 'x', totp_confirmed_at = clock_timestamp() where id = ${who.id}`,
  )
  const thief = browserAt(it)
  const { body } = await thief.send('POST', '/session', { email: who.email, password: PASSWORD })
  expect([body, thief.cookies.has(DEVICE_COOKIE)]).toEqual([{ state: 'second_factor' }, false])
})

test('each wait is twice the one before, up to a quarter of an hour; after a day all is forgotten', async () => {
  const { it, who } = await person()
  const { db } = it.runtime.system
  const waits: number[] = []
  for (let n = 0; n < 15; n += 1) {
    await attempt(it, who.email, WRONG)
    const { seconds } = await db.one(sql<{ seconds: number }>`
      select max(extract(epoch from next_at - last_at))::float8 as seconds from wrong_guesses`)
    waits.push(Math.round(seconds))
    await wait(it, '15 minutes')
  }
  expect(waits).toEqual([0, 0, 0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900])
  await wait(it, '1 day')
  expect(await attempts(4, () => attempt(it, who.email, WRONG))).toEqual([401, 401, 401, 401])
})

test('the answer says when to come back', async () => {
  const { it, who } = await person()
  await attempts(5, () => attempt(it, who.email, WRONG))
  await hold(it)
  const { status, headers, body } = await browserAt(it).sendRaw('POST', '/session', {
    headers: { 'x-rollcall': '1', 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify({ email: who.email, password: WRONG }),
  })
  expect([status, body]).toMatchObject([429, { error: 'rate_limit_exceeded' }])
  expect(Number(headers['retry-after'])).toBeGreaterThan(30)
})

test('an address without an account is slowed down like one with: nobody learns which it is', async () => {
  const { it } = await person()
  const guess = () => attempt(it, 'nobody@example.org', WRONG)
  expect(await attempts(5, guess)).toEqual([401, 401, 401, 401, 401])
  await hold(it)
  expect(await guess()).toBe(429)
})

test('guesses side by side are counted one after the other', async () => {
  const { it, who } = await person()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => attempt(it, who.email, WRONG)))
  expect(statuses.filter((it) => it === 401)).toHaveLength(5)
  expect(statuses.filter((it) => it === 429)).toHaveLength(15)
})

test('one address that tries many accounts is slowed down, others are not', async () => {
  const { it, who } = await person()
  await attempts(30, (n) => attempt(it, `p${n}@example.org`, WRONG, '192.0.2.9'))
  await hold(it)
  expect(await attempt(it, who.email, PASSWORD, '192.0.2.9')).toBe(429)
  expect(await attempt(it, who.email, PASSWORD, '192.0.2.10')).toBe(200)
}, 120_000)

test('signing in rightly, however often, slows nobody down', async () => {
  const { it, who } = await person()
  expect(new Set(await attempts(35, () => attempt(it, who.email, PASSWORD)))).toEqual(new Set([200]))
}, 120_000)

test('the counts outlive the process and hold on every node', async () => {
  const { it, who } = await person()
  await attempts(5, () => attempt(it, who.email, WRONG))
  await hold(it)
  const other = await testApp({ where: it.where, http: { trustedProxies: ['127.0.0.1'] } })
  expect(await attempt(other, who.email, PASSWORD)).toBe(429)
})

test('what is guessed behind the door is counted too: the old password at its change', async () => {
  const { it, who } = await person()
  const thief = await browserOf(it, who)
  const change = () =>
    thief.send('POST', '/session/password', { current: WRONG, next: 'a new long password' })
  expect(await attempts(5, async () => (await change()).status)).toEqual([400, 400, 400, 400, 400])
  await hold(it)
  expect((await change()).status).toBe(429)
  // and for itself: the person signs in, and changes the password in a session of their own
  const own = await browserOf(it, who)
  const next = { current: PASSWORD, next: 'a new long password' }
  expect((await own.send('POST', '/session/password', next)).status).toBe(204)
})

test('whoever guesses at the sign-in does not keep the person from changing the password', async () => {
  const { it, who } = await person()
  const browser = await browserOf(it, who)
  await attempt(it, who.email, WRONG)
  await overrun(it)
  const next = { current: PASSWORD, next: 'a new long password' }
  expect((await browser.send('POST', '/session/password', next)).status).toBe(204)
})

test('a wrong password stands in the log of every tenant that the account opens, and says from where', async () => {
  const { it, who } = await person()
  const ctx = await it.newTenant()
  await newPerson(it, ctx)
  await attempt(it, who.email, WRONG, '192.0.2.77')
  await attempt(it, 'nobody@example.org', WRONG)
  const home = await it.runtime.system.db.one(sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from memberships where user_id = ${who.id}`)
  const failures = (tenantId: string) =>
    searchAudit({ ...it.runtime.system, tenantId }, { limit: 9, offset: 0, action: 'user.sign_in_failed' })
  expect((await failures(home.tenantId)).items).toMatchObject([
    {
      actor: { kind: 'system', id: 'sign-in' },
      address: '192.0.2.77',
      subject: { type: 'user', id: who.id },
      details: { email: who.email, step: 'password' },
    },
  ])
  expect((await failures(ctx.tenantId)).items).toEqual([])
})

test('an address that has no account stands in the log where there is one tenant alone', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  await attempt(it, ' Nobody@example.org ', WRONG)
  await attempt(it, 'a password by mistake', WRONG)
  const long = `b@${'b'.repeat(251)}`
  await attempt(it, `${long}😀`, WRONG)
  const { items } = await searchAudit(ctx, { limit: 9, offset: 0, action: 'user.sign_in_failed' })
  expect(items).toMatchObject([
    { subject: { id: '' }, details: { email: long } },
    { subject: { id: '' }, details: { email: 'Nobody@example.org' } },
  ])
})
