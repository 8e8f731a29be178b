import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import {
  addressIn,
  browserAt,
  browserOf,
  newPerson,
  PASSWORD,
  type Browser,
} from '#test/support/http/browser-session.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { codeAt } from './totp.ts'

const START = Date.parse('2026-06-01T12:00:00Z')
const STEP_MS = 30_000

/** Somebody who has a second factor, in an app whose clock the test sets. */
async function guarded() {
  const clock = { ms: START }
  const it = await testApp({ now: () => new Date(clock.ms) })
  const ctx = await it.newTenant()
  const who = await newPerson(it, ctx)
  const browser = await browserOf(it, who)
  const { body: enrolment } = await browser.send<{ secret: string; uri: string }>('POST', '/session/totp', {
    password: PASSWORD,
  })
  const code = () => codeAt(enrolment.secret, new Date(clock.ms))
  const confirmed = await browser.send<{ recoveryCodes: string[] }>('POST', '/session/totp/confirm', {
    code: code(),
  })
  clock.ms += STEP_MS
  const arrive = async () => {
    const other = browserAt(it)
    const { body } = await other.send('POST', '/session', { email: who.email, password: PASSWORD })
    return { other, body }
  }
  return { it, ctx, who, browser, clock, code, enrolment, codes: confirmed.body.recoveryCodes, arrive }
}

const stateOf = async (browser: Browser) =>
  (await browser.send<{ state: string }>('GET', '/session')).body.state
const send = async (browser: Browser, code: string) =>
  (await browser.send('POST', '/session/second-factor', { code })).status

test('with a second factor the password opens nothing but the question for the code', async () => {
  const { ctx, code, arrive } = await guarded()
  const { other, body: answer } = await arrive()
  expect(answer).toEqual({ state: 'second_factor' })
  expect(await stateOf(other)).toBe('second_factor')
  const before = other.cookies.get('rollcall_session')
  for (const [path, body] of [
    ['/session/all', {}],
    ['/session/totp', { password: PASSWORD }],
    [await addressIn(ctx, '/graphql'), { query: '{__typename}' }],
  ] as const) {
    const { status } = await other.send('POST', path, body)
    expect([401, 404]).toContain(status)
  }
  expect(await send(other, code())).toBe(200)
  expect(await stateOf(other)).toBe('signed_in')
  expect(other.cookies.get('rollcall_session')).not.toBe(before)
})

test('an authenticator app is told all it needs, and the secret is sealed', async () => {
  const { it, enrolment, who } = await guarded()
  expect(enrolment.secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(enrolment.uri)
  expect([uri.protocol, uri.host, uri.searchParams.get('secret'), uri.searchParams.get('issuer')]).toEqual([
    'otpauth:',
    'totp',
    enrolment.secret,
    'Rollcall',
  ])
  expect(decodeURIComponent(uri.pathname)).toContain(who.email)
  const { row } = await it.runtime.system.db.one(
    sql<{ row: string }>`select to_jsonb(users)::text as row from users`,
  )
  expect(row).not.toContain(Buffer.from(enrolment.secret).toString('hex'))
})

test('a code works once, and the one before it no more', async () => {
  const { code, arrive, clock } = await guarded()
  const used = code()
  expect(await send((await arrive()).other, used)).toBe(200)
  expect(await send((await arrive()).other, used)).toBe(401)
  clock.ms += 2 * STEP_MS
  const { other } = await arrive()
  expect(await send(other, used)).toBe(401)
  expect(await send(other, code())).toBe(200)
})

test('of one code sent twice at once, one is taken', async () => {
  const { code, arrive } = await guarded()
  const both = [(await arrive()).other, (await arrive()).other]
  const statuses = await Promise.all(both.map((it) => send(it, code())))
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
})

test.each([
  [-STEP_MS, 200],
  [STEP_MS, 200],
  [-2 * STEP_MS, 401],
  [2 * STEP_MS, 401],
])('a clock that is %i ms off: %i', async (offMs, status) => {
  const { enrolment, arrive, clock } = await guarded()
  clock.ms += 5 * STEP_MS
  const code = codeAt(enrolment.secret, new Date(clock.ms + offMs))
  expect(await send((await arrive()).other, code)).toBe(status)
})

test('ten recovery codes, each good once, however it is typed', async () => {
  const { codes, arrive } = await guarded()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const [first = '', second = ''] = codes
  expect(await send((await arrive()).other, first)).toBe(200)
  expect(await send((await arrive()).other, first)).toBe(401)
  const { other } = await arrive()
  expect(await send(other, second.toUpperCase().replaceAll('-', ' '))).toBe(200)
  const { body } = await other.send<{ user: { recoveryCodesLeft: number } }>('GET', '/session')
  expect(body.user.recoveryCodesLeft).toBe(8)
})

test('codes cannot be guessed, not even by signing in again in between', async () => {
  const { it, arrive } = await guarded()
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) statuses.push(await send((await arrive()).other, '000000'))
  expect(statuses).toEqual([401, 401, 401, 401, 401])
  await it.runtime.system.db.run(
    sql`update wrong_guesses set next_at = next_at + interval '1 minute' where next_at > last_at + interval '1 second'`,
  )
  expect(await send((await arrive()).other, '000000')).toBe(429)
})

test('new recovery codes end the old ones', async () => {
  const { codes, browser, arrive } = await guarded()
  const { body } = await browser.send<{ recoveryCodes: string[] }>('POST', '/session/totp/codes', {
    password: PASSWORD,
  })
  expect(await send((await arrive()).other, codes[0] ?? '')).toBe(401)
  expect(await send((await arrive()).other, body.recoveryCodes[0] ?? '')).toBe(200)
})

test('setting it up ends sessions that were opened without it, and renews this one', async () => {
  const it = await testApp()
  const who = await newPerson(it, await it.newTenant())
  const [mine, other] = [await browserOf(it, who), await browserOf(it, who)]
  const before = mine.cookies.get('rollcall_session')
  const { body } = await mine.send<{ secret: string }>('POST', '/session/totp', { password: PASSWORD })
  expect((await mine.send('POST', '/session/totp/confirm', { code: '12' })).status).toBe(400)
  expect(await stateOf(other)).toBe('signed_in')
  await mine.send('POST', '/session/totp/confirm', { code: codeAt(body.secret, new Date()) })
  expect([await stateOf(mine), await stateOf(other)]).toEqual(['signed_in', 'signed_out'])
  expect(mine.cookies.get('rollcall_session')).not.toBe(before)
})

test('a stolen session cannot change it without the password, nor put another in its place', async () => {
  const { browser, code, clock } = await guarded()
  const wrong = { password: 'not the password' }
  expect((await browser.send('POST', '/session/totp', wrong)).status).toBe(400)
  expect((await browser.send('POST', '/session/totp/codes', wrong)).status).toBe(400)
  expect((await browser.send('POST', '/session/totp/remove', { ...wrong, code: code() })).status).toBe(400)
  expect((await browser.send('POST', '/session/totp', { password: PASSWORD })).status).toBe(409)
  clock.ms += STEP_MS
  expect(
    (await browser.send('POST', '/session/totp/remove', { password: PASSWORD, code: '000000' })).status,
  ).toBe(400)
})

test('it is removed with password and code, and all of it stands in the log', async () => {
  const { ctx, browser, code, arrive } = await guarded()
  expect(
    (await browser.send('POST', '/session/totp/remove', { password: PASSWORD, code: code() })).status,
  ).toBe(204)
  expect((await arrive()).body).toMatchObject({ state: 'signed_in' })
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, text: 'second_factor' })
  expect(items.map(({ action }) => action)).toEqual([
    'user.second_factor_removed',
    'user.second_factor_enabled',
  ])
})
