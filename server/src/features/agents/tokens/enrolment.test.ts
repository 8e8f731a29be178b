import { cpSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { stateOf } from '../agent.ts'
import { approveAgent, createToken, listAgents, listTokens, revokeAgent, revokeToken } from '../agents.ts'
import { assetsOf, enrolled } from '../agents.fixture.ts'
import { fingerprintIn } from '../signed/fingerprint.ts'
import { newHost } from '../signed/signed-agent.fixture.ts'
import type { NewToken } from './enrolment-token.ts'

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }

async function newToken(input: Partial<NewToken> = {}) {
  const ctx = await home().newTenant()
  const { token, secret } = await createToken(ctx, { name: 'x', ...input })
  return { ctx, id: token.id, secret, site: await home().address() }
}

test('a token serves one host for 30 days unless more is asked for', async () => {
  const { ctx, site, secret } = await newToken()
  expect((await newHost('ONE00001').run('enrol', site, secret)).code).toBe(0)
  const second = await newHost('TWO00002').run('enrol', site, secret)
  expect([second.code, second.err]).toEqual([
    1,
    expect.stringContaining('403 token_scope token: as many hosts'),
  ])
  const [token] = await listTokens(ctx)
  expect(token).toMatchObject({ kind: 'agent', uses: 1, usesMax: 1, needsApproval: false })
  expect(Date.parse(token?.expiresAt ?? '') - Date.parse(token?.createdAt ?? '')).toBe(30 * 86_400_000)
  expect(await assetsOf(ctx)).toHaveLength(1)
})

test('hosts that enrol at the same time with a token for two are two', async () => {
  const { ctx, site, secret } = await newToken({ uses: 2 })
  const hosts = ['A', 'B', 'C', 'D', 'E'].map((it) => newHost(`SERIAL${it}`))
  const done = await Promise.all(hosts.map((it) => it.run('enrol', site, secret)))
  expect(done.filter(({ code }) => code === 0)).toHaveLength(2)
  expect((await listTokens(ctx))[0]).toMatchObject({ uses: 2 })
})

test('an unknown token is 401 token; a revoked, foreign or distant one is 403 token_scope', async () => {
  const site = await home().address()
  const enrolling = async (secret: string) => (await newHost('NOBODY01').run('enrol', site, secret)).err
  expect(await enrolling(`rce_${'9'.repeat(64)}`)).toContain('401 token token: no such')
  const dropin = await newToken({ kind: 'dropin' })
  expect(await enrolling(dropin.secret)).toContain('403 token_scope token: is for agents of another kind')
  const distant = await newToken({ networks: ['192.0.2.0/24'] })
  expect(await enrolling(distant.secret)).toContain('403 token_scope token: is not taken from 127.0.0.1')
  const revoked = await newToken()
  await revokeToken(revoked.ctx, revoked.id)
  expect(await enrolling(revoked.secret)).toContain('403 token_scope token: was revoked')
  // agents of others are told the same of all of these
  const own = await newToken()
  expect((await fetch(`${site}/t/${own.secret}`, { method: 'POST', body: '{}' })).status).toBe(403)
  expect(await assetsOf(own.ctx)).toEqual([])
})

test('a host that needs approval makes no asset until somebody approves it', async () => {
  const { ctx, site, secret } = await newToken({ needsApproval: true })
  const host = newHost('PENDING1')
  const done = await host.run('enrol', site, secret)
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('Somebody has to approve this host') })
  expect((await host.run('run', '--now')).out).toContain('nobody has approved this host yet')
  const [waiting] = (await listAgents(ctx, page)).items
  expect(waiting && stateOf(waiting, new Date())).toBe('pending')
  expect(await assetsOf(ctx)).toEqual([])
  const theirs = await enrolled(home())
  await expect(approveAgent(theirs.ctx, waiting?.id ?? '')).rejects.toMatchObject({ status: 404 })
  await approveAgent(ctx, waiting?.id ?? '')
  await approveAgent(ctx, waiting?.id ?? '')
  expect((await host.run('run', '--now')).out).toContain('Reported: sent ')
  expect((await assetsOf(ctx)).map(({ serial }) => serial)).toEqual(['PENDING1'])
  const { items } = await searchAudit(ctx, { ...page, action: 'agent.approved' })
  expect(items).toHaveLength(1)
})

test.each([
  { what: 'that was for one host', input: { uses: 1 }, change: undefined, uses: 1 },
  { what: 'that was revoked', input: { uses: 5 }, change: sql`revoked_at = now()`, uses: 1 },
  { what: 'that has expired', input: { uses: 5 }, change: sql`expires_at = now()`, uses: 1 },
  { what: 'that needs approval', input: { uses: 5, needsApproval: true }, change: undefined, uses: 2 },
])('a copy of a host makes no asset by a token $what', async ({ input, change, uses }) => {
  const { ctx, site, secret } = await newToken(input)
  const [first, copy] = [newHost('ORIGIN01'), newHost('COPIED02')]
  await first.run('enrol', site, secret)
  const original = (await listAgents(ctx, page)).items[0]?.id ?? ''
  await approveAgent(ctx, original)
  if (change) await ctx.db.run(sql`update enrolment_tokens set ${change} where tenant_id = ${ctx.tenantId}`)
  cpSync(first.state, copy.state, { recursive: true })
  await copy.run('run', '--now')
  expect((await copy.run('run', '--now')).out).toContain('nobody has approved this host yet')
  expect(await listTokens(ctx)).toMatchObject([{ uses }])
  const added = (await listAgents(ctx, page)).items.filter(({ id }) => id !== original)
  expect(added).toMatchObject([{ isPending: true }])
  expect((await assetsOf(ctx)).map(({ serial }) => serial)).not.toContain('COPIED02')
  await approveAgent(ctx, added[0]?.id ?? '')
  await copy.run('run', '--now')
  expect((await assetsOf(ctx)).map(({ serial }) => serial)).toContain('COPIED02')
})

test('a revoked host that enrols again with a token that needs approval waits again', async () => {
  const { ctx, site, secret } = await newToken({ needsApproval: true, uses: 2 })
  const host = newHost('PENDING2')
  await host.run('enrol', site, secret)
  const id = (await listAgents(ctx, page)).items[0]?.id ?? ''
  await revokeAgent(ctx, id)
  await expect(approveAgent(ctx, id)).rejects.toMatchObject({ status: 409 })
  await host.run('forget')
  await host.run('enrol', site, secret)
  expect((await listAgents(ctx, page)).items).toMatchObject([{ id, isPending: true, revokedAt: null }])
})

test('the same hardware has other digests in another tenant', () => {
  const told = { serial: '0'.repeat(32) }
  const [here, there] = ['a', 'b'].map((tenant) => fingerprintIn(told, tenant))
  expect(here?.['serial']).toMatch(/^[0-9a-f]{32}$/)
  expect(here?.['serial']).not.toBe(told.serial)
  expect(there).not.toEqual(here)
})
