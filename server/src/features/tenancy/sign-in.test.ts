import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { browserAt, browserOf, newPerson, PASSWORD } from '#test/browser.ts'
import { house, type TestHouse } from '#test/house.ts'

const WRONG = 'not the password'

async function person() {
  const it = await house({ door: { trustedProxies: ['127.0.0.1'] } })
  return { it, who: await newPerson(it, await it.newTenant()) }
}

/** Answers the status. */
async function attempt(
  it: TestHouse,
  email: string,
  password: string,
  address = '192.0.2.1',
): Promise<number> {
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
const hold = ({ household }: TestHouse) =>
  household.system.db.run(sql`
    update wrong_guesses set next_at = next_at + interval '1 minute' where next_at > last_at + interval '1 second'`)

/** As if the last wrong guess had been longer ago. */
const wait = ({ household }: TestHouse, time: string) =>
  household.system.db.run(sql`
    update wrong_guesses set next_at = next_at - ${time}::interval, last_at = last_at - ${time}::interval`)

test('after five wrong passwords in a row even the right one waits, from wherever it comes', async () => {
  const { it, who } = await person()
  expect(await attempts(5, (n) => attempt(it, who.email, WRONG, `192.0.2.${n}`))).toEqual([
    401, 401, 401, 401, 401,
  ])
  await hold(it)
  expect(await attempt(it, who.email, WRONG, '192.0.2.6')).toBe(429)
  expect(await attempt(it, who.email.toUpperCase(), PASSWORD, '198.51.100.7')).toBe(429)
  await wait(it, '70 seconds')
  expect(await attempt(it, who.email, PASSWORD)).toBe(200)
  expect(await attempts(4, () => attempt(it, who.email, WRONG))).toEqual([401, 401, 401, 401])
})

test('each wait is twice the one before, up to a quarter of an hour; after a day all is forgotten', async () => {
  const { it, who } = await person()
  const { db } = it.household.system
  const waits: number[] = []
  for (let n = 0; n < 15; n += 1) {
    await attempt(it, who.email, WRONG, `192.0.2.${n}`)
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
  const { status, headers, body } = await browserAt(it).send('POST', '/session', {
    email: who.email,
    password: WRONG,
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
  const other = await house({ where: it.where })
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
})

test('a wrong password stands in the log of every tenant that the account opens, and says from where', async () => {
  const { it, who } = await person()
  const ctx = await it.newTenant()
  await newPerson(it, ctx)
  await attempt(it, who.email, WRONG, '192.0.2.77')
  await attempt(it, 'nobody@example.org', WRONG)
  const home = await it.household.system.db.one(sql<{ tenantId: string }>`
    select tenant_id as "tenantId" from memberships where user_id = ${who.id}`)
  const failures = (tenantId: string) =>
    searchAudit({ ...it.household.system, tenantId }, { limit: 9, offset: 0, action: 'user.sign_in_failed' })
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
  const it = await house()
  const ctx = await it.newTenant()
  await attempt(it, ' Nobody@example.org ', WRONG)
  await attempt(it, 'a password by mistake', WRONG)
  const { items } = await searchAudit(ctx, { limit: 9, offset: 0, action: 'user.sign_in_failed' })
  expect(items).toMatchObject([{ subject: { id: '' }, details: { email: 'Nobody@example.org' } }])
})
