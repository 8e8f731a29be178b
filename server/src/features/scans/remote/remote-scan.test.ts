import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import {
  createCollector,
  deleteCollector,
  listCollectors,
  revokeCollector,
} from '#features/collectors/collectors.ts'
import { stateOf } from '#features/collectors/collector.ts'
import { createCredential, listHostKeys } from '#features/credentials/credentials.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { needs } from '#test/support/needs.ts'
import { dataFolder, startCollector, until } from '#test/support/processes/rollcall-process.ts'
import { openSshLab, type SshLab } from '#test/support/scanned-hosts/ssh-servers.ts'
import { readConfig } from '../../../config.ts'
import { collect } from '../../../startup/collector.ts'
import { Governor } from '../probes/governor/governor.ts'
import { runScan } from '../running/run-scan.ts'
import { cancelScan, createScan, createTarget, getScan, listScans } from '../scans.ts'
import { listResults } from '../results/results.ts'
import { listTouches } from '../touches/touches.ts'

// Collectors know the server's address and a secret, and talk to it over HTTP.

const home = sharedTestApp()
const FIRST = { limit: 10, offset: 0 }

async function newSite(ctx: Ctx, name: string) {
  const { collector, secret } = await createCollector(ctx, { name })
  const environment = {
    ROLES: 'collector',
    COLLECTOR_SERVER: await home().address(),
    COLLECTOR_SECRET: secret,
    DATA_DIR: await dataFolder(),
  }
  return { collectorId: collector.id, environment }
}

/** One that runs in this process, until the test ends or it ends by itself. */
async function newCollector(ctx: Ctx, name: string) {
  const { collectorId, environment } = await newSite(ctx, name)
  const stop = Promise.withResolvers<void>()
  const config = readConfig({ LOG_LEVEL: 'fatal', ...environment })
  const ended = collect(config, stop.promise, () => Promise.resolve()).catch((error: unknown) => error)
  onTestFinished(async () => {
    stop.resolve()
    await ended
  })
  await online(ctx)
  return { collectorId, ended }
}

/** One that is a process of its own. */
async function newProcess(ctx: Ctx, name: string) {
  const site = await newSite(ctx, name)
  const process = await startCollector(site.environment)
  await online(ctx)
  return { ...site, process }
}

const online = (ctx: Ctx) =>
  until(async () => (await listCollectors(ctx)).every((it) => stateOf(it, new Date()) === 'online'))

/** Loopback addresses that nothing answers at, on which a sweep is busy for long. */
const silentRange = (ctx: Ctx, collectorIds: readonly string[]) =>
  createTarget(ctx, { name: 'Silent', entries: ['240.0.0.0/20'], collectorIds })

/** As a worker runs it. */
async function running(ctx: Ctx, type: string, targetId: string) {
  const { id } = await createScan(ctx, { type, targetId })
  const stop = new AbortController()
  const done = runScan(ctx, { scanId: id }, stop.signal).catch((error: unknown) => error)
  onTestFinished(async () => {
    stop.abort()
    await done
  })
  return { id, done, again: () => runScan(ctx, { scanId: id }, stop.signal) }
}

/** Seconds that nobody heard of it, without waiting for them. */
const silence = (ctx: Ctx, collectorId: string) =>
  ctx.db.run(sql`
    update collectors set last_seen_at = clock_timestamp() - interval '31 seconds'
    where tenant_id = ${ctx.tenantId} and id = ${collectorId}`)

const isTaken = async (ctx: Ctx, collectorId: string): Promise<boolean> => {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from collector_assignments where tenant_id = ${ctx.tenantId}
      and collector_id = ${collectorId} and process is not null) as found`)
  return found
}

/** Keeps what is said to collectors and by them, also after it was read; answers all of it. */
async function messagesKept(): Promise<() => Promise<string>> {
  const client = new pg.Client(home().where)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`create table said (body text);
    create function keep() returns trigger language plpgsql security definer as
      'begin insert into public.said values (new.body); return new; end';
    create trigger keep after insert on collector_messages for each row execute function keep()`)
  return async () => JSON.stringify((await client.query('select body from said')).rows)
}

const workOf = async (ctx: Ctx, collectorId: string) => {
  const [work] = await ctx.db.all(sql<{ id: string; process: string | null }>`
    select id, process from collector_assignments
    where tenant_id = ${ctx.tenantId} and collector_id = ${collectorId}`)
  return work ?? { id: '', process: null }
}

needs('root', 'sshd')('a host that a collector logs in to', () => {
  let lab: SshLab
  beforeAll(async () => {
    lab = await openSshLab()
  })
  afterAll(() => lab?.close())

  test('becomes an asset, its key is pinned, its login logged, and the secret stays secret', async () => {
    const ctx = await home().newTenant()
    const { port } = await lab.sshd()
    const { collectorId } = await newCollector(ctx, 'Oslo')
    const target = await createTarget(ctx, { name: 'Host', host: '127.0.0.1', collectorIds: [collectorId] })
    await createCredential(ctx, {
      name: 'Scan',
      kind: 'ssh_password',
      port,
      asksOnUnknownHost: false,
      cidrs: [],
      targetIds: [target.id],
      values: { username: lab.username, password: lab.password },
    })
    const said = await messagesKept()
    const scan = await running(ctx, 'ssh', target.id)
    expect(await scan.done).toBeUndefined()
    expect(await getScan(ctx, scan.id)).toMatchObject({ status: 'completed', assetCount: 1 })
    const { items } = await listAssets(ctx, FIRST)
    expect(items).toHaveLength(1)
    expect((await listHostKeys(ctx, FIRST)).items).toMatchObject([{ address: '127.0.0.1', port }])
    const [result] = (await listResults(ctx, scan.id, FIRST)).items
    expect(result?.raw.length).toBeGreaterThan(0)
    const touches = await listTouches(ctx, { address: '127.0.0.1' }, FIRST)
    expect(touches.items).toMatchObject([{ logins: 1 }])
    expect(touches.items[0]?.packets).toBeGreaterThan(10)
    expect(await said()).toContain('encrypted')
    expect(await said()).not.toContain(lab.password)
    const left = await ctx.db.all(sql`select from collector_assignments where tenant_id = ${ctx.tenantId}`)
    expect(left).toEqual([])
  })

  const secretFor = (ctx: Ctx, port: number, collectorId: string, cidr: string) =>
    createCredential(ctx, {
      name: 'Vault',
      kind: 'ssh_password',
      port,
      asksOnUnknownHost: false,
      cidrs: [cidr],
      targetIds: [],
      collectorIds: [collectorId],
      values: { username: lab.username, password: lab.password },
    })

  test('a secret that only the collector can open lets it in there, and is sent to no host that the server makes up', async () => {
    const ctx = await home().newTenant()
    const { port } = await lab.sshd()
    const { collectorId, process } = await newProcess(ctx, 'Oslo')
    const { id } = await secretFor(ctx, port, collectorId, '127.0.0.1')
    const there = await createTarget(ctx, { name: 'There', host: '127.0.0.1', collectorIds: [collectorId] })
    const scan = await running(ctx, 'ssh', there.id)
    expect(await scan.done).toBeUndefined()
    expect(await getScan(ctx, scan.id)).toMatchObject({ status: 'completed', assetCount: 1 })

    const here = await createTarget(ctx, { name: 'Here', host: '127.0.0.1' })
    const own = await running(ctx, 'ssh', here.id)
    await own.done
    expect(await getScan(ctx, own.id)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Vault can be opened by Oslo alone, which does not scan here'),
    })

    // whoever has the database binds it to another network
    await ctx.db.run(sql`
      update credential_bindings set cidr = '127.0.0.0/24'
      where tenant_id = ${ctx.tenantId} and credential_id = ${id}`)
    const trap = await createTarget(ctx, { name: 'Trap', host: '127.0.0.2', collectorIds: [collectorId] })
    const trapped = await running(ctx, 'ssh', trap.id)
    await trapped.done
    expect(await getScan(ctx, trapped.id)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('was entered for 127.0.0.1/32, not for 127.0.0.2'),
    })
    await process.signal('SIGTERM')
  })
})

test('a sweep goes on in a collector where more devices are gone than a message takes, and heeds what came to harm', async () => {
  const ctx = await home().newTenant()
  const { collectorId } = await newCollector(ctx, 'Voss')
  const [known, harmed] = ['127.60.0.1', '127.60.0.2']
  const target = await createTarget(ctx, {
    name: 'Loop',
    entries: [`${known}-2`],
    collectorIds: [collectorId],
  })
  const { id } = await createScan(ctx, { type: 'sweep', targetId: target.id })
  const governor = new Governor([{ at: harmed, reason: 'it is silent', isHarm: true }])
  for (let n = 0; n < 1_200; n++) governor.left(`10.0.${n >> 8}.${n & 255}`, 'it is gone')
  const resume = { settled: 0, known: new Set([known]), assetCount: 1 }
  await runScan(ctx, { scanId: id }, new AbortController().signal, { governor, resume })
  expect(await getScan(ctx, id)).toMatchObject({
    status: 'completed',
    message: `2 addresses looked at, 1 live; stopped at ${harmed} (it is silent)`,
  })
})

test('a cancelled scan ends in the collector too', async () => {
  const ctx = await home().newTenant()
  const { collectorId } = await newCollector(ctx, 'Bergen')
  const scan = await running(ctx, 'sweep', (await silentRange(ctx, [collectorId])).id)
  await until(async () => ((await getScan(ctx, scan.id)).progress?.total ?? 0) > 0)
  await cancelScan(ctx, scan.id)
  await scan.done
  expect(await getScan(ctx, scan.id)).toMatchObject({ status: 'cancelled' })
  await until(async () => !(await isTaken(ctx, collectorId)))
})

test('work of a collector that was killed goes on in another, and fails with a reason when there is none', async () => {
  const ctx = await home().newTenant()
  const [first, second] = await Promise.all([newProcess(ctx, 'Oslo'), newProcess(ctx, 'Hamar')])
  const target = await silentRange(ctx, [first.collectorId, second.collectorId])
  const scan = await running(ctx, 'sweep', target.id)
  const taken = await until(async () => {
    for (const site of [first, second]) if (await isTaken(ctx, site.collectorId)) return site
    return undefined
  })
  const other = taken === first ? second : first
  await taken.process.signal('SIGKILL')
  await silence(ctx, taken.collectorId)
  expect(String(await scan.done)).toMatch(/was not heard of since/)
  const again = scan.again().catch((error: unknown) => error)
  await until(() => isTaken(ctx, other.collectorId))
  await other.process.signal('SIGKILL')
  await silence(ctx, other.collectorId)
  await again
  await scan.again()
  const { status, message } = await getScan(ctx, scan.id)
  expect(status).toBe('failed')
  expect(message).toMatch(/no collector that could do it is online; not heard of: Hamar since .*, Oslo since/)
})

test('one that is started anew is the same collector, begins its work again, and costs the scan no attempt', async () => {
  const ctx = await home().newTenant()
  const { collectorId, process, environment } = await newProcess(ctx, 'Oslo')
  const scan = await running(ctx, 'sweep', (await silentRange(ctx, [collectorId])).id)
  await until(() => isTaken(ctx, collectorId))
  const before = await workOf(ctx, collectorId)
  await process.signal('SIGKILL')
  await startCollector({ ...environment, COLLECTOR_SECRET: '' })
  await until(async () => {
    const { id, process: taker } = await workOf(ctx, collectorId)
    return id !== before.id && taker !== null && taker !== before.process
  })
  expect(await listCollectors(ctx)).toHaveLength(1)
  const { attempt } = await ctx.db.one(sql<{ attempt: number }>`
    select attempt from scans where tenant_id = ${ctx.tenantId} and id = ${scan.id}`)
  expect(attempt).toBe(1)
})

test('a revoked collector ends, and its target is not scanned by the server in its place', async () => {
  const ctx = await home().newTenant()
  const { collectorId, ended } = await newCollector(ctx, 'Oslo')
  const target = await createTarget(ctx, { name: 'Loop', host: '127.0.0.1', collectorIds: [collectorId] })
  await expect(deleteCollector(ctx, collectorId)).rejects.toThrow('targets are scanned by it')
  await revokeCollector(ctx, collectorId)
  expect(String(await ended)).toContain('the collector was revoked')
  const scan = await running(ctx, 'sweep', target.id)
  await scan.done
  for (let attempt = 1; attempt < 3; attempt += 1) await scan.again().catch(() => undefined)
  const { items } = await listScans(ctx, FIRST)
  expect(items).toMatchObject([
    {
      status: 'failed',
      assetCount: 0,
      message: expect.stringContaining('every collector that could do it was revoked'),
    },
  ])
})

test('names are looked up where the server is, so a collector is given addresses', async () => {
  const ctx = await home().newTenant()
  const { collector } = await createCollector(ctx, { name: 'Oslo' })
  const named = createTarget(ctx, { name: 'x', host: 'db.example', collectorIds: [collector.id] })
  await expect(named).rejects.toThrow(/^host: must be an address where collectors scan/)
})
