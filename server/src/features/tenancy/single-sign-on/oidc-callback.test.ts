import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { addressIn, browserAt, browserOf, newPerson, PASSWORD } from '#test/support/http/browser-session.ts'
import { testApp } from '#test/support/app/test-app.ts'
import {
  ALICE,
  finishSignOn,
  startSignOn,
  sessionState,
  ssoSetup,
  signOn,
} from '#test/support/single-sign-on/single-sign-on.ts'
import { listUsers, removeUser } from '../members/members.ts'

test('somebody whom the provider knows is in, with the role of newcomers, and is the same person the next time', async () => {
  const where = await ssoSetup()
  const { browser, location } = await signOn(where)
  expect(location).toBe('/assets')
  const first = await sessionState(browser)
  expect(first).toMatchObject({
    state: 'signed_in',
    user: { email: ALICE.email, isManaged: true, isSignedOn: true },
    tenant: { id: where.ctx.tenantId },
    role: { name: 'Viewer' },
  })
  const second = await sessionState((await signOn(where)).browser)
  expect(second.user.id).toBe(first.user.id)
  const { items } = await searchAudit(where.ctx, { limit: 50, offset: 0, subjectId: first.user.id })
  expect(items.map(({ action }) => action)).toEqual(['user.signed_in', 'user.signed_in', 'user.created'])
})

test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
  'open redirect: returnTo %s leads home',
  async (returnTo) => {
    const where = await ssoSetup()
    const browser = browserAt(where.it)
    const url = await where.provider.visit(await startSignOn(where, browser, returnTo), 'alice')
    expect(await finishSignOn(browser, url)).toBe('/')
  },
)

test('what comes back opens nothing in another browser, with another state, or twice', async () => {
  const where = await ssoSetup()
  const [browser, thief] = [browserAt(where.it), browserAt(where.it)]
  const url = await where.provider.visit(await startSignOn(where, browser), 'alice')
  expect(await finishSignOn(thief, url)).toBe('/sign-in?problem=sign_on_ended')
  const otherState = new URL(url)
  otherState.searchParams.set('state', 'x'.repeat(43))
  expect(await finishSignOn(browser, otherState.href)).toBe('/sign-in?problem=sign_on_ended')
  const cookies = new Map(browser.cookies)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  const again = browserAt(where.it)
  await startSignOn(where, again)
  expect(await finishSignOn(again, url)).toBe('/sign-in?problem=sign_on_ended')
  expect((await sessionState(thief)).state).toBe('signed_out')
  expect((await sessionState(again)).state).toBe('signed_out')
})

test('replay: a code that was used is refused, with everything else in place', async () => {
  const where = await ssoSetup()
  const { system } = where.it.runtime
  const browser = browserAt(where.it)
  const location = await startSignOn(where, browser)
  const kept = await system.db.one(
    sql<{ row: unknown }>`select to_jsonb(sign_on_journeys) as row from sign_on_journeys`,
  )
  const cookie = browser.cookies.get('rollcall_sign_on') ?? ''
  const url = await where.provider.visit(location, 'alice')
  expect(await finishSignOn(browser, url)).toBe('/assets')
  await system.db.run(sql`
    insert into sign_on_journeys select * from jsonb_populate_record(null::sign_on_journeys, ${JSON.stringify(kept.row)}::jsonb)`)
  const again = browserAt(where.it)
  again.cookies.set('rollcall_sign_on', cookie)
  expect(await finishSignOn(again, url)).toBe('/sign-in?problem=sign_on_refused')
})

test.each([
  ['nonce', sql`nonce = 'another'`],
  ['code verifier', sql`code_verifier = repeat('a', 43)`],
])('an answer for another %s is refused', async (_, change) => {
  const where = await ssoSetup()
  const browser = browserAt(where.it)
  const url = await where.provider.visit(await startSignOn(where, browser), 'alice')
  await where.it.runtime.system.db.run(sql`update sign_on_journeys set ${change}`)
  expect(await finishSignOn(browser, url)).toBe('/sign-in?problem=sign_on_refused')
  expect((await sessionState(browser)).state).toBe('signed_out')
})

test('a sign-on that took longer than ten minutes has ended', async () => {
  const where = await ssoSetup()
  const browser = browserAt(where.it)
  const url = await where.provider.visit(await startSignOn(where, browser), 'alice')
  await where.it.runtime.system.db.run(sql`update sign_on_journeys set expires_at = now()`)
  expect(await finishSignOn(browser, url)).toBe('/sign-in?problem=sign_on_ended')
})

test('mix-up: the answer of one issuer is not taken for that of another (RFC 9207)', async () => {
  const where = await ssoSetup()
  const browser = browserAt(where.it)
  const url = new URL(await where.provider.visit(await startSignOn(where, browser), 'alice'))
  url.searchParams.set('iss', 'https://other.example')
  expect(await finishSignOn(browser, url.href)).toBe('/sign-in?problem=sign_on_refused')
})

test('mix-up: a code of one tenant’s provider opens nothing at another’s', async () => {
  const it = await testApp()
  const [mine, theirs] = [await ssoSetup(undefined, it), await ssoSetup(undefined, it)]
  const browser = browserAt(it)
  const stolen = new URL(await theirs.provider.visit(await startSignOn(theirs, browserAt(it)), 'alice'))
  const own = new URL(await mine.provider.visit(await startSignOn(mine, browser), 'alice'))
  own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  expect(await finishSignOn(browser, own.href)).toBe('/sign-in?problem=sign_on_refused')
})

test('fixation: coming back ends the session that the browser held before', async () => {
  const where = await ssoSetup()
  const before = await browserOf(where.it, await newPerson(where.it, where.ctx))
  const held = new Map(before.cookies)
  const { browser } = await signOn(where, 'alice', before)
  const old = browserAt(where.it)
  for (const [name, value] of held) old.cookies.set(name, value)
  expect((await sessionState(old)).state).toBe('signed_out')
  expect((await sessionState(browser)).user.email).toBe(ALICE.email)
})

test('a provider that says no leads back to the sign-in page', async () => {
  const where = await ssoSetup()
  const browser = browserAt(where.it)
  const location = await startSignOn(where, browser)
  const state = new URL(location).searchParams.get('state')
  const iss = encodeURIComponent(where.provider.issuer)
  const said = `http://x/session/sign-on/callback?error=access_denied&state=${state}&iss=${iss}`
  expect(await finishSignOn(browser, said)).toBe('/sign-in?problem=sign_on_refused')
})

test.each([
  ['is not verified', { ...ALICE, email_verified: false }, 'email_not_verified'],
  ['is missing', { name: 'Alice' }, 'email_not_verified'],
  ['is of another domain', { ...ALICE, email: 'alice@other.example' }, 'email_of_others'],
  ['is of a domain that only ends so', { ...ALICE, email: 'alice@notcorp.example' }, 'email_of_others'],
  ['hides a domain', { ...ALICE, email: 'alice@corp.example@evil.example' }, 'invalid_request'],
])('an address that %s lets nobody in', async (_, claims, problem) => {
  const where = await ssoSetup({ alice: claims })
  const { browser, location } = await signOn(where)
  expect(location).toBe(`/sign-in?problem=${problem}`)
  expect((await sessionState(browser)).state).toBe('signed_out')
  expect(await listUsers(where.ctx)).toEqual([])
})

test('an account of the installation is never opened by the provider of a tenant it does not belong to', async () => {
  const where = await ssoSetup()
  const elsewhere = await where.it.newTenant()
  const victim = await newPerson(where.it, elsewhere)
  await where.it.runtime.system.db.run(sql`update users set email = ${ALICE.email} where id = ${victim.id}`)
  const { browser } = await signOn(where)
  const seen = await sessionState(browser)
  expect(seen.user.id).not.toBe(victim.id)
  expect(seen.tenants.map(({ id }) => id)).toEqual([where.ctx.tenantId])
  const own = browserAt(where.it)
  const { status } = await own.send('POST', '/session', { email: ALICE.email, password: PASSWORD })
  expect([status, (await sessionState(own)).user.id]).toEqual([200, victim.id])
})

test('a member with a password is linked, for this tenant alone: neither other tenants nor the account open', async () => {
  const where = await ssoSetup()
  const elsewhere = await where.it.newTenant()
  const member = await newPerson(where.it, where.ctx)
  const { system } = where.it.runtime
  await system.db.run(sql`update users set email = ${ALICE.email} where id = ${member.id}`)
  await system.db.run(sql`
    insert into memberships (tenant_id, user_id, role_id)
    select tenant_id, ${member.id}, id from roles where tenant_id = ${elsewhere.tenantId} and built_in = 'admin'`)
  const own = await browserOf(where.it, { email: ALICE.email })
  const { browser } = await signOn(where)
  expect(await sessionState(browser)).toMatchObject({
    user: { id: member.id, isManaged: false, isSignedOn: true },
    tenants: [{ id: where.ctx.tenantId }],
  })
  const statuses = [
    await browser.send('POST', await addressIn(elsewhere, '/graphql'), { query: '{ __typename }' }),
    await browser.send('POST', '/session/password', { current: PASSWORD, next: 'a new long password' }),
    await browser.send('POST', '/session/totp', { password: PASSWORD }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 403, 403])
  const { body } = await browser.send<{ sessions: unknown[] }>('GET', '/session/all')
  expect(body.sessions).toHaveLength(1)
  await browser.send('DELETE', '/session/all')
  expect((await sessionState(own)).state).toBe('signed_in')
})

test('whoever was removed does not come back through the provider', async () => {
  const where = await ssoSetup()
  const { user } = await sessionState((await signOn(where)).browser)
  await removeUser(where.ctx, user.id)
  expect((await signOn(where)).location).toBe('/sign-in?problem=not_a_member')
})

test('an address that went to somebody else at the provider does not bring the account along', async () => {
  const where = await ssoSetup({ alice: ALICE, impostor: ALICE })
  await signOn(where)
  expect((await signOn(where, 'impostor')).location).toBe('/sign-in?problem=email_taken')
})

test('who begins again and again without coming back has to wait, and coming back costs nothing', async () => {
  const where = await ssoSetup()
  for (let n = 0; n < 4; n += 1) await signOn(where)
  const browser = browserAt(where.it)
  const begin = () => browser.send('POST', '/session/sign-on', { organisation: where.slug })
  const statuses: number[] = []
  for (let n = 0; n < 31; n += 1) statuses.push((await begin()).status)
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
  expect((await begin()).headers['retry-after']).toBeDefined()
})

test('strangers are told whether there is single sign-on, and of which organisation where there is one alone', async () => {
  const where = await ssoSetup()
  const sessionState = async () => (await browserAt(where.it).send('GET', '/session')).body
  expect(await sessionState()).toEqual({ state: 'signed_out', signOn: { organisation: where.slug } })
  await where.it.newTenant()
  expect(await sessionState()).toEqual({ state: 'signed_out', signOn: { organisation: null } })
})
