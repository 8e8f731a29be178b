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
import { userCommands } from '../user-cli.ts'

const NEXT = 'an even longer password'
const shared = sharedTestApp()

const stateOf = async (browser: Browser) =>
  (await browser.send<{ state: string }>('GET', '/session')).body.state
const signIn = async (email: string, password: string) =>
  (await browserAt(shared()).send('POST', '/session', { email, password })).status

async function person() {
  const ctx = await shared().newTenant()
  return { ctx, who: await newPerson(shared(), ctx) }
}

/** What the operator's command prints. */
async function reset(email: string, options = {}): Promise<{ link: string; token: string; text: string }> {
  const command = userCommands.find(({ path }) => path === 'user reset-password')
  const input = { args: { email }, options, site: 'https://rollcall.example' }
  if (!command) throw new Error('no such command')
  const { json, text } = await command.run(shared().runtime.system, input)
  const { link } = json as { link: string }
  return { link, token: link.split('#')[1] ?? '', text }
}

const use = (token: string, password = NEXT) =>
  browserAt(shared()).send('POST', '/session/password-reset', { token, password })

test('a new password needs the old one, ends all other sessions and renews this one', async () => {
  const { ctx, who } = await person()
  const [mine, other] = [await browserOf(shared(), who), await browserOf(shared(), who)]
  const wrong = await mine.send('POST', '/session/password', { current: 'not the password', next: NEXT })
  expect([wrong.status, wrong.body]).toMatchObject([400, { message: 'current: is wrong' }])
  const weak = await mine.send('POST', '/session/password', { current: PASSWORD, next: 'short' })
  expect(weak.body).toMatchObject({ message: expect.stringMatching(/^next: /) })
  const before = mine.cookies.get('rollcall_session')
  expect((await mine.send('POST', '/session/password', { current: PASSWORD, next: NEXT })).status).toBe(204)
  expect([await stateOf(mine), await stateOf(other)]).toEqual(['signed_in', 'signed_out'])
  expect(mine.cookies.get('rollcall_session')).not.toBe(before)
  expect([await signIn(who.email, PASSWORD), await signIn(who.email, NEXT)]).toEqual([401, 200])
  const { items } = await searchAudit(ctx, { limit: 50, offset: 0, action: 'user.password_changed' })
  expect(items).toHaveLength(1)
})

test('the operator prints a link that sets a password once and ends every session', async () => {
  const { who } = await person()
  const session = await browserOf(shared(), who)
  const { link, token, text } = await reset(who.email)
  expect(link).toMatch(/^https:\/\/rollcall\.example\/reset-password#[0-9a-f]{64}$/)
  expect(text).toContain(link)
  const { rows } = await shared().runtime.system.db.one(sql<{ rows: string }>`
    select jsonb_agg(password_resets)::text as rows from password_resets`)
  expect(rows).not.toContain(token)
  expect((await use(token, 'short')).status).toBe(400)
  expect((await use(token)).status).toBe(204)
  expect(await stateOf(session)).toBe('signed_out')
  expect([await signIn(who.email, PASSWORD), await signIn(who.email, NEXT)]).toEqual([401, 200])
  expect((await use(token, 'and another password')).body).toMatchObject({ error: 'link_ended' })
})

test('a link ends after an hour, with a later use of another, and when the password is changed', async () => {
  const { who } = await person()
  const old = await reset(who.email)
  await shared().runtime.system.db.run(sql`update password_resets set expires_at = now()`)
  expect((await use(old.token)).status).toBe(410)
  const [first, second] = [await reset(who.email), await reset(who.email)]
  expect((await use(first.token)).status).toBe(204)
  expect((await use(second.token)).status).toBe(410)
  const third = await reset(who.email)
  const browser = browserAt(shared())
  await browser.send('POST', '/session', { email: who.email, password: NEXT })
  await browser.send('POST', '/session/password', { current: NEXT, next: PASSWORD })
  expect((await use(third.token)).status).toBe(410)
  for (const token of ['', 'nonsense', 'a'.repeat(64)]) expect((await use(token)).status).toBe(410)
})

test('two uses of one link at once: one sets the password', async () => {
  const { who } = await person()
  const { token } = await reset(who.email)
  const statuses = (await Promise.all([use(token), use(token)])).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 410])
})

test('a reset opens an account that was locked by guessing', async () => {
  const { who } = await person()
  for (let n = 0; n < 5; n += 1) await signIn(who.email, 'not the password')
  await shared().runtime.system.db.run(
    sql`update wrong_guesses set next_at = next_at + interval '1 minute' where next_at > last_at + interval '1 second'`,
  )
  expect(await signIn(who.email, PASSWORD)).toBe(429)
  await use((await reset(who.email)).token)
  expect(await signIn(who.email, NEXT)).toBe(200)
})

test('no account: the operator is told', async () => {
  await expect(reset('nobody@example.org')).rejects.toMatchObject({ status: 404 })
})

test('a tenant cannot have passwords reset: the account may open others', async () => {
  const { ctx, who } = await person()
  const command = userCommands.find(({ path }) => path === 'user reset-password')
  const actor = { kind: 'user', id: 'u', may: (it: string) => it.startsWith('users:') } as const
  const asking = command?.run({ ...ctx, actor }, { args: { email: who.email }, options: {} })
  await expect(asking).rejects.toMatchObject({ status: 403 })
})

test('people and roles are listed on the command line, and invitations printed', async () => {
  const it = await testApp()
  const ctx = await it.newTenant()
  const who = await newPerson(it, ctx)
  const run = (path: string, args = {}, options = {}) =>
    userCommands
      .find((command) => command.path === path)
      ?.run(ctx, { args, options, site: 'https://r.example' })
  expect((await run('user list'))?.text).toContain(who.email)
  expect((await run('role list'))?.text).toMatch(/Admin {2}1 person/)
  const invited = await run('user invite', { email: 'ada@example.org' }, { role: 'operator' })
  expect(invited?.text).toMatch(/https:\/\/r\.example\/invitation#[0-9a-f]{64}$/)
})
