import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { openHttpServer, openServerApart } from '../../../startup/http-server.ts'
import { createToken, listAgents, listTokens, revokeToken } from '../agents.ts'
import { assetsOf, isStoredAnywhere } from '../agents.fixture.ts'

/** Not osquery itself, which no package registry has: these requests follow the documentation of its TLS plugins. */

const home = sharedTestApp()
const INVALID = { node_invalid: true }

/** With `from`, what arrives counts as a request from there. */
async function fleetDoor(from?: string) {
  const server = await openServerApart(
    {
      host: '127.0.0.1',
      fleetPort: 0,
      rateLimitPerMinute: 100,
      trustedProxies: from ? ['127.0.0.1/32'] : [],
    },
    home().runtime,
  )
  onTestFinished(() => server.close())
  const post = (path: string, body: unknown) =>
    fetch(`${server.address}/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'osquery/5.19.0',
        ...(from !== undefined && { 'x-forwarded-for': from }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    address: server.address,
    post,
    ask: async (path: string, body: unknown) =>
      (await (await post(path, body)).json()) as Record<string, unknown>,
  }
}

const enrolment = (secret: string) => ({
  enroll_secret: secret,
  host_identifier: 'ws-1',
  platform_type: '9',
  host_details: {
    osquery_info: { instance_id: 'instance-1', version: '5.19.0' },
    system_info: { uuid: '4c4c4544-0042-3510-8052-b4c04f4b4231', hardware_serial: 'B5RKKB1' },
  },
})

test('a host of Fleet enrols with the secret that it has, reports, and is refused once that is revoked', async () => {
  const ctx = await home().newTenant()
  const secret = randomBytes(18).toString('base64')
  const { token } = await createToken(ctx, { name: 'From Fleet', kind: 'dropin', secret, tags: ['paris'] })
  expect(token.prefix).toBe('')
  const { ask } = await fleetDoor()
  expect(await ask('v1/osquery/enroll', enrolment('x'.repeat(24)))).toEqual(INVALID)
  const { node_key: nodeKey } = await ask('v1/osquery/enroll', enrolment(secret))
  expect(await ask('v1/osquery/config', { node_key: nodeKey })).toMatchObject({ node_invalid: false })
  const questions = await ask('osquery/distributed/read', { node_key: nodeKey })
  expect(Object.keys(questions['queries'] as object)).toContain('rollcall_system')
  const system = {
    hostname: 'ws-1.corp.example',
    uuid: '4c4c4544-0042-3510-8052-b4c04f4b4231',
    hardware_serial: 'B5RKKB1',
  }
  const results = {
    node_key: nodeKey,
    queries: { rollcall_system: [system] },
    statuses: { rollcall_system: 0 },
  }
  expect(await ask('v1/osquery/distributed/write', results)).toEqual({ node_invalid: false })
  expect(await assetsOf(ctx)).toMatchObject([{ hostname: 'ws-1.corp.example', tags: ['paris'] }])
  expect((await listAgents(ctx, { limit: 5, offset: 0 })).items).toMatchObject([
    { kind: 'osquery', problem: '' },
  ])
  expect(await isStoredAnywhere(home(), secret)).toBe(false)
  await revokeToken(ctx, token.id)
  expect(await ask('v1/osquery/config', { node_key: nodeKey })).toEqual(INVALID)
})

test('node keys of Fleet, of other tenants and of no form are invalid, so that hosts enrol again', async () => {
  const [ctx, other] = [await home().newTenant(), await home().newTenant()]
  const secret = randomBytes(18).toString('base64')
  await createToken(ctx, { name: 'a', kind: 'dropin', secret })
  const stranger = await createToken(other, { name: 'b', kind: 'dropin' })
  const { ask } = await fleetDoor()
  const { node_key: nodeKey } = await ask('v1/osquery/enroll', enrolment(secret))
  const [, , key] = String(nodeKey).split('.')
  const foreign = `${other.tenantId}.${stranger.token.id}.${key}`
  for (const wrong of [foreign, `${ctx.tenantId}.${stranger.token.id}.${key}`, 'k3yOfFleet', '..', 7])
    expect(await ask('v1/osquery/config', { node_key: wrong })).toEqual(INVALID)
})

test('who is not known yet is read no further than a secret is long', async () => {
  const { post } = await fleetDoor()
  const large = { enroll_secret: 'x'.repeat(24), filler: 'y'.repeat(100_000) }
  for (const path of ['v1/osquery/enroll', 'v1/osquery/config', 'osquery/distributed/read'])
    expect((await post(path, large)).status).toBe(413)
})

test('results are not parsed for whoever is not known, wherever their node key stands', async () => {
  const ctx = await home().newTenant()
  const secret = randomBytes(18).toString('base64')
  await createToken(ctx, { name: 'From Fleet', kind: 'dropin', secret })
  const { post, ask } = await fleetDoor()
  const { node_key: nodeKey } = await ask('v1/osquery/enroll', enrolment(secret))
  const send = async (path: string, content: string) => {
    const reply = await post(`v1/osquery/${path}`, content)
    return { status: reply.status, body: (await reply.json()) as unknown }
  }
  const filler = `"data": "${'y'.repeat(200_000)}", `
  for (const path of ['log', 'distributed/write']) {
    // no JSON at all, which only those are told who are known
    expect(await send(path, `{"node_key": "k3yOfFleet", ${filler}`)).toEqual({ status: 200, body: INVALID })
    const stranger = String(nodeKey).replace(/.$/, (it) => (it === '0' ? '1' : '0'))
    expect(await send(path, `{${filler}"node_key": "${stranger}" and more`)).toEqual({
      status: 200,
      body: INVALID,
    })
    for (const known of [
      `{"node_key": "${String(nodeKey)}", ${filler}"queries": {}}`,
      `{${filler}"queries": {}, "node_key":"${String(nodeKey)}"}`,
    ])
      expect(await send(path, known)).toEqual({ status: 200, body: { node_invalid: false } })
  }
  expect(await send('distributed/write', `{"node_key": "${String(nodeKey)}", `)).toMatchObject({
    status: 400,
  })
})

test('large bodies are read of addresses alone from which a host has shown its key within the hour', async () => {
  const ctx = await home().newTenant()
  const secret = randomBytes(18).toString('base64')
  await createToken(ctx, { name: 'From Fleet', kind: 'dropin', secret })
  const there = await fleetDoor('198.51.100.8')
  const { node_key: nodeKey } = await there.ask('v1/osquery/enroll', enrolment(secret))
  const large = { node_key: nodeKey, data: 'y'.repeat(100_000) }
  const small = { node_key: nodeKey, data: [] }
  const elsewhere = await fleetDoor('198.51.100.9')
  for (const path of ['v1/osquery/log', 'v1/osquery/distributed/write']) {
    expect((await there.post(path, large)).status).toBe(200)
    expect((await elsewhere.post(path, large)).status).toBe(413)
  }
  await there.ask('v1/osquery/config', { node_key: nodeKey })
  await home().runtime.system.db.run(sql`update rate_windows set ends_at = now()`)
  expect((await there.post('v1/osquery/log', large)).status).toBe(413)
  expect(await elsewhere.ask('v1/osquery/log', small)).toEqual({ node_invalid: false })
  expect((await elsewhere.post('v1/osquery/log', large)).status).toBe(200)
})

test('the ids of a token without a key of it use up nothing of what the token may do', async () => {
  const ctx = await home().newTenant()
  const secret = randomBytes(18).toString('base64')
  const { token } = await createToken(ctx, { name: 'From Fleet', kind: 'dropin', secret })
  const { ask } = await fleetDoor('198.51.100.10')
  const { node_key: nodeKey } = await ask('v1/osquery/enroll', enrolment(secret))
  const used = async (): Promise<number> => {
    const { n } = await home().runtime.system.db.one(sql<{ n: number }>`
      select coalesce(max(used), 0)::int as n from rate_windows
      where bucket = sha256(convert_to(${`enrolment token ${token.id}`}, 'UTF8'))`)
    return n
  }
  expect(await used()).toBe(1)
  const guessed = `${ctx.tenantId}.${token.id}.${'0'.repeat(64)}`
  for (let n = 0; n < 5; n++) expect(await ask('v1/osquery/config', { node_key: guessed })).toEqual(INVALID)
  expect(await used()).toBe(1)
  await ask('v1/osquery/config', { node_key: nodeKey })
  expect(await used()).toBe(2)
})

test('keys of no form of ours count for nothing; an address that guesses is read no further', async () => {
  const { post, ask } = await fleetDoor('198.51.100.7')
  const fromFleet = { node_key: 'wJ0zYQ1u5mJf3n0o1d9yqv0bqv5w7x2k' }
  const asks = Array.from({ length: 130 }, () => ask('v1/osquery/config', fromFleet))
  expect(new Set((await Promise.all(asks)).map((it) => JSON.stringify(it)))).toEqual(
    new Set([JSON.stringify(INVALID)]),
  )
  const guess = { node_key: `${randomUUID()}.${randomUUID()}.${'0'.repeat(64)}` }
  const guesses = await Promise.all(Array.from({ length: 101 }, () => post('v1/osquery/config', guess)))
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1)
  expect((await post('v1/osquery/log', 'no JSON')).status).toBe(429)
})

test('a secret whose token has ended is taken over again, and keys of the ended one stay invalid', async () => {
  const [ctx, other] = [await home().newTenant(), await home().newTenant()]
  const secret = randomBytes(18).toString('base64')
  const first = await createToken(ctx, { name: 'a', kind: 'dropin', secret })
  const { ask } = await fleetDoor()
  const { node_key: before } = await ask('v1/osquery/enroll', enrolment(secret))
  await expect(createToken(ctx, { name: 'b', kind: 'dropin', secret })).rejects.toThrow(/there is a token/)
  await revokeToken(ctx, first.token.id)
  await expect(createToken(other, { name: 'b', kind: 'dropin', secret })).rejects.toThrow(/there is a token/)
  const second = await createToken(ctx, { name: 'b', kind: 'dropin', secret })
  expect(await ask('v1/osquery/config', { node_key: before })).toEqual(INVALID)
  await ctx.db.run(sql`
    update agents set enrolled_at = enrolled_at - interval '1 hour' where tenant_id = ${ctx.tenantId}`)
  const { node_key: after } = await ask('v1/osquery/enroll', enrolment(secret))
  expect(String(after).split('.')[1]).toBe(second.token.id)
  expect(await ask('v1/osquery/config', { node_key: after })).toMatchObject({ node_invalid: false })
  await ctx.db.run(sql`
    update enrolment_tokens set expires_at = now() where tenant_id = ${ctx.tenantId} and id = ${second.token.id}`)
  expect(await ask('v1/osquery/enroll', enrolment(secret))).toEqual(INVALID)
  await createToken(ctx, { name: 'c', kind: 'dropin', secret })
  expect((await listTokens(ctx)).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
})

test('at that port the API does not answer, and at the port of the API no path of Fleet', async () => {
  const { address, post } = await fleetDoor()
  const fromApi = await fetch(`${address}/api/v1/assets`)
  expect([401, 404]).toContain(fromApi.status)
  expect((await fetch(`${address}/api/v1/osquery/enroll`)).status).toBe(404)
  expect((await post('v1/osquery/carve/begin', {})).status).toBe(404)
  const beside = await fetch(`${await home().address()}/api/v1/osquery/enroll`, {
    method: 'POST',
    body: '{}',
  })
  expect(beside.status).toBe(401)
})

test('requests at that port are counted among those of the server', async () => {
  const { runtime } = home()
  const config = { host: '127.0.0.1', rateLimitPerMinute: 100, trustedProxies: [] }
  const door = await openHttpServer({ ...config, port: 0 }, runtime)
  onTestFinished(() => door.close())
  const apart = await openServerApart({ ...config, fleetPort: 0 }, runtime, door.metrics)
  onTestFinished(() => apart.close())
  await fetch(`${apart.address}/api/v1/osquery/config`, { method: 'POST', body: '{}' })
  await fetch(`${door.address}/t/rce_${'0'.repeat(64)}`, { method: 'POST', body: '{}' })
  const told = await (await fetch(`${door.address}/metrics`)).text()
  expect(told).toContain(
    'rollcall_http_requests_total{method="POST",route="/api/v1/osquery/*",status="200"} 1',
  )
  expect(told).toMatch(/rollcall_http_requests_total\{method="POST",route="\/t\/:token.*",status="403"\} 1/)
})

test('a secret is taken over for agents of others alone, once, and not one that could be guessed', async () => {
  const ctx = await home().newTenant()
  const secret = randomBytes(18).toString('base64')
  await expect(createToken(ctx, { name: 'x', kind: 'both', secret })).rejects.toThrow(/^secret: can be given/)
  await expect(createToken(ctx, { name: 'x', kind: 'dropin', secret: 'short' })).rejects.toThrow(
    /^secret: must have 16/,
  )
  await createToken(ctx, { name: 'x', kind: 'dropin', secret })
  await expect(createToken(ctx, { name: 'y', kind: 'dropin', secret })).rejects.toThrow(
    /^secret: there is a token/,
  )
})
