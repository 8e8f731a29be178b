import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { postXml } from '#test/support/endpoint-agents/agent-messages.ts'
import { asker, believed, fieldAsker, headersOf } from '#test/support/http/graphql-client.ts'
import { createToken } from './agents.ts'
import { enrolled } from './agents.fixture.ts'
import { newHost } from './signed/signed-agent.fixture.ts'

const shared = sharedTestApp({ contextOf: believed })
const DAY_MS = 86_400_000
const daysUntil = (instant: string | null) => Math.round((Date.parse(instant ?? '') - Date.now()) / DAY_MS)

test('a token is made with what is asked for, listed without its secret, and revoked', async () => {
  const ctx = await shared().newTenant()
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  type Issued = { token: { id: string; expiresAt: string | null }; secret: string }
  const make = (args: string) =>
    ask<Issued>(
      `mutation { createEnrolmentToken(${args}) { secret token { id name kind prefix tags networks usesMax uses needsApproval expiresAt isExpired revokedAt lastUsedAt } } }`,
    )
  const plain = await make('name: "one"')
  expect(plain.token).toMatchObject({
    name: 'one',
    kind: 'agent',
    prefix: plain.secret.slice(0, 12),
    tags: [],
    networks: [],
    usesMax: 1,
    uses: 0,
    needsApproval: false,
    isExpired: false,
    revokedAt: null,
    lastUsedAt: null,
  })
  expect(daysUntil(plain.token.expiresAt)).toBe(30)
  const whole = await make(
    'name: "two", uses: 20, needsApproval: true, tags: ["a", "b"], networks: ["192.0.2.0/24"], expiresInDays: 7',
  )
  expect(whole.token).toMatchObject({
    kind: 'agent',
    tags: ['a', 'b'],
    networks: ['192.0.2.0/24'],
    usesMax: 20,
    needsApproval: true,
  })
  expect(daysUntil(whole.token.expiresAt)).toBe(7)
  expect((await make('name: "three", neverExpires: true')).token.expiresAt).toBeNull()
  expect((await make('name: "four", kind: dropin')).token).toMatchObject({ kind: 'dropin', usesMax: null })
  await expect(make('name: "x", neverExpires: true, expiresInDays: 7')).rejects.toThrow('invalid_request')
  const { id } = whole.token
  const revoke = 'mutation ($id: ID!) { revokeEnrolmentToken(id: $id) { id revokedAt } }'
  expect(await ask(revoke, { id })).toEqual({ id, revokedAt: expect.any(String) })
  const tokens = await ask<{ name: string; revokedAt: string | null }[]>(
    '{ enrolmentTokens { name revokedAt } }',
  )
  expect(tokens.map((it) => [it.name, it.revokedAt !== null])).toEqual([
    ['four', false],
    ['three', false],
    ['two', true],
    ['one', false],
  ])
})

test('agents are listed by token and condition; our own is approved, given a new key and revoked', async () => {
  const { ctx, tokenId, address } = await enrolled(shared())
  const { secret } = await createToken(ctx, { name: 'careful', needsApproval: true })
  const ask = fieldAsker(asker(shared().as(), headersOf(ctx)))
  await postXml(address, '<REQUEST><DEVICEID>pc-1</DEVICEID><QUERY>PROLOG</QUERY></REQUEST>')
  const host = newHost('GRAPHQL1')
  await host.run('enrol', await shared().address(), secret)
  const list = `query ($tokenId: ID, $where: String, $sort: String, $first: Int! = 50) { agents(tokenId: $tokenId, where: $where, sort: $sort, first: $first) {
    total items { id kind name deviceId version address tokenName assetId state why lastReportAt revokedAt } } }`
  type Agents = { total: number; items: { id: string; kind: string }[] }
  const own = await ask<Agents>(list, { where: 'kind = agent' })
  expect(own).toMatchObject({
    total: 1,
    items: [
      {
        kind: 'agent',
        tokenName: 'careful',
        state: 'pending',
        why: 'enrolled, and waits for somebody to approve it',
        revokedAt: null,
      },
    ],
  })
  const id = own.items[0]?.id
  const kinds = async (args: Record<string, unknown>) =>
    (await ask<Agents>(list, args)).items.map(({ kind }) => kind)
  expect(await kinds({ tokenId })).toHaveLength(1)
  expect(await kinds({ sort: 'kind' })).toHaveLength(2)
  expect(await kinds({ sort: 'kind', first: 1 })).toHaveLength(1)
  expect(await kinds({ tokenId: '00000000-0000-4000-8000-000000000000' })).toEqual([])
  expect(await ask('mutation ($id: ID!) { approveAgent(id: $id) { id state } }', { id })).toMatchObject({
    id,
  })
  await host.run('run', '--now')
  expect(await ask(list, { where: 'kind = agent' })).toMatchObject({
    items: [{ state: 'reporting', why: '', assetId: expect.any(String), lastReportAt: expect.any(String) }],
  })
  expect(await ask('mutation ($id: ID!) { rekeyAgent(id: $id) { id } }', { id })).toEqual({ id })
  expect(await ask('mutation ($id: ID!) { revokeAgent(id: $id) { id state revokedAt } }', { id })).toEqual({
    id,
    state: 'revoked',
    revokedAt: expect.any(String),
  })
  await expect(ask('mutation ($id: ID!) { rekeyAgent(id: $id) { id } }', { id })).rejects.toThrow('conflict')
})
