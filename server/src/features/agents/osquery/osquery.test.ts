import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listAgents } from '../agents.ts'
import { assetsOf, enrolled, eventsOf, installedIn, isStoredAnywhere } from '../agents.fixture.ts'
import { hostQueries } from './queries.ts'

/** Not osquery itself, which no package registry has: these requests follow the documentation of its TLS plugins. */

const home = sharedTestApp()
const page = { limit: 50, offset: 0 }

type Answer = Record<string, unknown>

async function ask(address: string, path: string, body: unknown, isPacked = false): Promise<Answer> {
  const text = JSON.stringify(body)
  const answer = await fetch(`${address}/osquery/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'osquery/5.19.0',
      connection: 'close',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    },
    body: isPacked ? gzipSync(text) : text,
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer
}

const system = (n = 1) => ({
  hostname: `ws-${n}.corp.example`,
  computer_name: `ws-${n}`,
  uuid: `4c4c4544-0042-3510-8052-b4c04f4b423${n}`,
  hardware_serial: `B5RKKB${n}`,
  hardware_vendor: 'Dell Inc.',
  hardware_model: 'Latitude 5420',
  cpu_brand: 'Intel(R) Core(TM) i7-1185G7',
  physical_memory: '16624242688',
})

const enrolment = (n = 1, instance = 'instance-1') => ({
  enroll_secret: 'any',
  host_identifier: system(n).uuid,
  platform_type: '9',
  host_details: { osquery_info: { instance_id: instance, version: '5.19.0' }, system_info: system(n) },
})

async function enrol(address: string, n = 1, instance?: string): Promise<string> {
  const answer = await ask(address, 'enroll', enrolment(n, instance))
  expect(answer['node_key']).toMatch(/^[0-9a-f]{64}$/)
  return String(answer['node_key'])
}

const results = {
  queries: {
    rollcall_system: [system()],
    rollcall_os: [
      {
        name: 'Ubuntu',
        version: '22.04.3 LTS (Jammy Jellyfish)',
        platform: 'ubuntu',
        codename: 'jammy',
        arch: 'x86_64',
      },
    ],
    rollcall_kernel: [{ version: '5.15.0-91-generic' }],
    rollcall_interfaces: [
      { interface: 'lo', mac: '00:00:00:00:00:00', type: '4' },
      { interface: 'wlp0s20f3', mac: '3c:58:c2:10:20:30', type: '1' },
    ],
    rollcall_addresses: [
      { interface: 'lo', address: '127.0.0.1' },
      { interface: 'wlp0s20f3', address: '192.0.2.41' },
      { interface: 'wlp0s20f3', address: 'fe80::1%wlp0s20f3' },
    ],
    rollcall_deb: [
      { name: 'libssl3', version: '3.0.2-0ubuntu1.12', arch: 'amd64', source: 'openssl' },
      { name: 'openssl', version: '3.0.2-0ubuntu1.12', arch: 'amd64', source: '' },
    ],
    rollcall_rpm: [{ name: 'tool', version: '1.2', release: '3.el9', epoch: '1', arch: 'noarch' }],
  },
  statuses: { rollcall_system: 0, rollcall_deb: 0, rollcall_rpm: '0' },
}

test('a host enrols, takes its configuration, answers when it is due, and is one asset with its software', async () => {
  const { ctx, address } = await enrolled(home(), { tags: ['laptops'] })
  const key = await enrol(address)
  expect(await ask(address, 'config', { node_key: key })).toMatchObject({
    options: { distributed_interval: 300 },
    schedule: {},
    node_invalid: false,
  })
  const asked = await ask(address, 'distributed/read', { node_key: key })
  expect(Object.keys(asked['queries'] as object)).toEqual(Object.keys(hostQueries))
  expect(Object.keys(asked['discovery'] as object)).toEqual(Object.keys(hostQueries))
  await ask(address, 'distributed/write', { node_key: key, ...results }, true)
  expect(await assetsOf(ctx)).toMatchObject([
    {
      name: 'ws-1.corp.example',
      os: 'Ubuntu 22.04.3 LTS (Jammy Jellyfish)',
      serial: 'B5RKKB1',
      macAddress: '3c:58:c2:10:20:30',
      ipAddress: '192.0.2.41',
      tags: ['laptops'],
    },
  ])
  expect(
    (await installedIn(ctx, 'osquery')).map(({ origin, name, version }) => [origin, name, version]),
  ).toEqual([
    ['dpkg', 'libssl3', '3.0.2-0ubuntu1.12'],
    ['dpkg', 'openssl', '3.0.2-0ubuntu1.12'],
    ['rpm', 'tool', '1:1.2-3.el9'],
  ])
  expect(await ask(address, 'distributed/read', { node_key: key })).toEqual({
    queries: {},
    node_invalid: false,
  })
  for (const log_type of ['status', 'result'])
    expect(await ask(address, 'log', { node_key: key, log_type, data: [{}] }, true)).toEqual({
      node_invalid: false,
    })
  expect((await listAgents(ctx, page)).items).toMatchObject([
    { kind: 'osquery', version: '5.19.0', name: 'ws-1' },
  ])
  expect(await eventsOf(ctx, 'NEW_SOURCE')).toMatchObject([{ source_type: 'osquery' }])
  expect(await isStoredAnywhere(home(), key)).toBe(false)
})

test('a query that failed leaves what it told before, and a removed package disappears', async () => {
  const { ctx, address } = await enrolled(home())
  const key = await enrol(address)
  await ask(address, 'distributed/write', { node_key: key, ...results })
  const { rollcall_deb: deb, rollcall_system, rollcall_rpm } = results.queries
  const failing = { rollcall_deb: [], rollcall_system, rollcall_rpm }
  await ask(address, 'distributed/write', { node_key: key, queries: failing, statuses: { rollcall_deb: 1 } })
  expect(await installedIn(ctx, 'osquery')).toHaveLength(3)
  expect(await assetsOf(ctx)).toMatchObject([{ macAddress: '3c:58:c2:10:20:30', serial: 'B5RKKB1' }])
  const removed = { rollcall_deb: deb.slice(1), rollcall_rpm: [] }
  await ask(address, 'distributed/write', { node_key: key, queries: removed, statuses: {} })
  expect((await installedIn(ctx, 'osquery')).map(({ name }) => name)).toEqual(['openssl'])
})

test('a query that failed three times is asked once a day, and what it told before stays', async () => {
  const { ctx, address } = await enrolled(home())
  const key = await enrol(address)
  const write = (queries: object, statuses: object) =>
    ask(address, 'distributed/write', { node_key: key, queries, statuses })
  const asked = async (): Promise<string[]> => {
    await ctx.db.run(sql`
      update agents set last_report_at = last_report_at - interval '2 hours' where tenant_id = ${ctx.tenantId}`)
    const { queries } = await ask(address, 'distributed/read', { node_key: key })
    return Object.keys(queries as object)
  }
  await write(results.queries, results.statuses)
  const { rollcall_system, rollcall_rpm } = results.queries
  for (let times = 1; times <= 3; times++) {
    expect(await asked()).toContain('rollcall_deb')
    await write({ rollcall_system, rollcall_rpm, rollcall_deb: [] }, { rollcall_deb: 1 })
  }
  expect(await asked()).toEqual(Object.keys(hostQueries).filter((name) => name !== 'rollcall_deb'))
  await write({ rollcall_system, rollcall_rpm }, {})
  expect(await installedIn(ctx, 'osquery')).toHaveLength(3)
  await ctx.db.run(sql`
    update agents set query_failures = jsonb_set(query_failures, '{rollcall_deb,at}', '"2026-01-01T00:00:00Z"')
    where tenant_id = ${ctx.tenantId}`)
  expect(await asked()).toContain('rollcall_deb')
  await write({ rollcall_system, rollcall_rpm, rollcall_deb: [] }, {})
  expect((await installedIn(ctx, 'osquery')).map(({ name }) => name)).toEqual(['tool'])
  expect(await asked()).toContain('rollcall_deb')
})

test('a key that is not known must enrol again; one host gets a new key once in five minutes', async () => {
  const { address } = await enrolled(home())
  const [key, other] = [await enrol(address), await enrolled(home())]
  for (const node_key of ['0'.repeat(64), 'nonsense', 7])
    expect(await ask(address, 'config', { node_key })).toEqual({ node_invalid: true })
  // of another tenant
  expect(await ask(other.address, 'config', { node_key: key })).toEqual({ node_invalid: true })
  expect(await ask(address, 'enroll', enrolment())).toEqual({ node_invalid: true })
  expect(await ask(address, 'config', { node_key: key })).toMatchObject({ node_invalid: false })
})

test('two hosts with one instance id are two assets and keep their keys', async () => {
  const { ctx, address } = await enrolled(home())
  const keys = [await enrol(address, 1), await enrol(address, 2)]
  for (let round = 0; round < 10; round += 1)
    for (const [at, node_key] of keys.entries()) {
      const queries = { rollcall_system: [system(at + 1)] }
      expect(await ask(address, 'distributed/write', { node_key, queries })).toEqual({ node_invalid: false })
    }
  expect((await assetsOf(ctx)).map(({ serial }) => serial).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'B5RKKB1',
    'B5RKKB2',
  ])
})

test('two hosts with one hardware UUID are two assets over ten rounds, and stay the same two', async () => {
  const { ctx, address } = await enrolled(home())
  const uuid = system(1).uuid
  const keyOf = async (n: number): Promise<string> => {
    const { host_details, ...rest } = enrolment(n, `instance-${n}`)
    const told = { ...host_details, system_info: { ...system(n), uuid } }
    return String((await ask(address, 'enroll', { ...rest, host_details: told }))['node_key'])
  }
  const keys = [await keyOf(1), await keyOf(2)]
  const seen: string[] = []
  for (let round = 0; round < 10; round += 1) {
    for (const [at, node_key] of keys.entries()) {
      const n = at + 1
      const queries = {
        rollcall_system: [{ ...system(n), uuid }],
        rollcall_interfaces: [{ interface: 'eth0', mac: `3c:58:c2:10:20:3${n}`, type: '1' }],
        rollcall_addresses: [{ interface: 'eth0', address: '192.0.2.41' }],
      }
      expect(await ask(address, 'distributed/write', { node_key, queries })).toEqual({ node_invalid: false })
    }
    const assets = await assetsOf(ctx)
    seen.push(
      assets
        .map(({ id, serial }) => `${serial} ${id}`)
        .toSorted()
        .join(', '),
    )
  }
  expect(seen[0]).toMatch(/^B5RKKB1 \S+, B5RKKB2 \S+$/)
  expect(new Set(seen).size).toBe(1)
  expect(await eventsOf(ctx, 'NEW_ASSET')).toHaveLength(2)
})

test.each([
  ['enroll', '{"host_details":{}}', 400, 'instance_id'],
  ['enroll', '{', 400, 'JSON'],
  ['carve', '{}', 404, 'page'],
])('%s with %s is refused', async (path, body, status, words) => {
  const { address } = await enrolled(home())
  const answer = await fetch(`${address}/osquery/${path}`, { method: 'POST', body })
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)])
})
