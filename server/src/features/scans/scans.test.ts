import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { testApp, type TestApp } from '#test/support/app/test-app.ts'
import { jobs } from './jobs.ts'
import { probes } from './probes/all.ts'
import {
  cancelScan,
  createScan,
  createTarget,
  deleteTarget,
  getScan,
  listScans,
  listTargets,
} from './scans.ts'
import type { Scan } from './scan.ts'
import { isFinished, scanTypes } from './scan-status.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const ALL = { limit: 50, offset: 0 }

test('a target is kept in canonical form, listed newest first, deleted, and every step is on record', async () => {
  const ctx = await (await testApp()).newTenant()
  const office = await createTarget(ctx, { name: 'Office', cidr: '192.0.2.77/24' })
  const printer = await createTarget(ctx, { name: 'Printer', host: 'Printer.Example.Test' })
  expect(office).toMatchObject({ name: 'Office', kind: 'cidr', address: '192.0.2.0/24' })
  expect((await listTargets(ctx)).map((it) => it.address)).toEqual(['printer.example.test', '192.0.2.0/24'])
  await deleteTarget(ctx, printer.id)
  expect((await listTargets(ctx)).map((it) => it.id)).toEqual([office.id])
  expect((await searchAudit(ctx, ALL)).items.map((it) => it.action)).toEqual([
    'target.deleted',
    'target.created',
    'target.created',
    'tenant.created',
  ])
})

test('a scan is pending until a worker comes, and its target cannot go meanwhile', async () => {
  const ctx = await (await testApp()).newTenant()
  const target = await createTarget(ctx, { name: 'Office', cidr: '192.0.2.0/24' })
  const scan = await createScan(ctx, { type: 'sweep', targetId: target.id })
  expect(scan).toMatchObject({ status: 'pending', startedAt: null, targetAddress: '192.0.2.0/24' })
  await expect(deleteTarget(ctx, target.id)).rejects.toMatchObject({ status: 409, code: 'conflict' })
  await cancelScan(ctx, scan.id)
  await deleteTarget(ctx, target.id)
  expect(await getScan(ctx, scan.id)).toMatchObject({ status: 'cancelled', targetAddress: '192.0.2.0/24' })
})

test.each([
  ['a type that the contract does not know', 'nmap', /^type: must be one of sweep, ssh/],
  [
    'a range by a type that looks at one host',
    'ssh',
    /^type: ssh scans one host, and the target is the range .* use sweep$/,
  ],
])('%s is refused', async (_, type, message) => {
  const ctx = await (await testApp()).newTenant()
  const { id } = await createTarget(ctx, { name: 'Office', cidr: '192.0.2.0/24' })
  await expect(createScan(ctx, { type, targetId: id })).rejects.toMatchObject({
    status: 400,
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
  expect(await listScans(ctx, ALL)).toEqual({ items: [], total: 0 })
})

test('a type that has no probe here is refused and not accepted to fail', async () => {
  const ctx = await (await testApp()).newTenant()
  const { id } = await createTarget(ctx, { name: 'Server', host: '192.0.2.1' })
  for (const type of scanTypes.filter((it) => !probes.some((probe) => probe.type === it)))
    await expect(createScan(ctx, { type, targetId: id })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`type: ${type} scans are not available on this server`),
    })
})

test('things of another tenant do not exist', async () => {
  const home = await testApp()
  const [mine, theirs] = [await home.newTenant(), await home.newTenant()]
  const target = await createTarget(theirs, { name: 'Office', cidr: '192.0.2.0/24' })
  const scan = await createScan(theirs, { type: 'sweep', targetId: target.id })
  for (const targetId of [target.id, NOBODY]) {
    await expect(createScan(mine, { type: 'sweep', targetId })).rejects.toMatchObject({ status: 404 })
    await expect(deleteTarget(mine, targetId)).rejects.toMatchObject({ status: 404 })
  }
  for (const id of [scan.id, NOBODY, 'x']) {
    await expect(getScan(mine, id)).rejects.toMatchObject({ status: 404 })
    await expect(cancelScan(mine, id)).rejects.toMatchObject({ status: 404 })
  }
  expect(await listScans(mine, ALL)).toEqual({ items: [], total: 0 })
  expect(await listTargets(mine)).toEqual([])
})

test('a sweep runs to its end: hosts become assets, and the event says so', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  work(home)
  const scan = await ended(ctx, await started(ctx, '127.77.2.0/29'))
  expect(scan).toMatchObject({
    status: 'completed',
    // a machine that is busy slows it, which is said
    message: expect.stringMatching(/^8 addresses looked at, 8 live(?:; (?:was )?slowed [^;]+)?$/),
    assetCount: 8,
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
  })
  expect(await eventsOf(ctx, 'SCAN_COMPLETED')).toEqual([
    {
      scan_id: scan.id,
      tenant_id: ctx.tenantId,
      scan_type: 'sweep',
      target: '127.77.2.0/29',
      status: 'completed',
      asset_count: 8,
      duration_ms: expect.any(Number),
      completed_at: scan.finishedAt,
    },
  ])
  expect(await eventsOf(ctx, 'NEW_ASSET')).toHaveLength(8)
  expect(await eventsOf(ctx, 'NEW_SOURCE')).toMatchObject([{ source_type: 'sweep', name: 'Network sweep' }])
})

test('the same sweep again finds the same assets', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  work(home)
  await ended(ctx, await started(ctx, '127.77.2.8/29'))
  await ended(ctx, await started(ctx, '127.77.2.8/29'))
  expect(await eventsOf(ctx, 'NEW_ASSET')).toHaveLength(8)
})

test('cancelling stops a running sweep; what it found stays, and one event is sent', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  work(home)
  const scan = await started(ctx, '127.79.0.0/16')
  await until(async () => /^[1-9]/.test((await getScan(ctx, scan.id)).message))
  // hosts are written in batches, a moment after they were looked at
  await until(async () => (await eventsOf(ctx, 'NEW_ASSET')).length > 0)
  expect(await getScan(ctx, scan.id)).toMatchObject({
    status: 'running',
    message: expect.stringMatching(
      /^\d+ of 65536 addresses looked at, \d+ live; (?:(?:was )?slowed [^;]+; )?\d+ a second, \d+ s left$/,
    ),
  })
  await cancelScan(ctx, scan.id)
  await until(async () => (await jobsLeft(home)) === 0)
  const cancelled = await getScan(ctx, scan.id)
  expect(cancelled).toMatchObject({
    status: 'cancelled',
    message: expect.stringMatching(
      /^cancelled after \d+ of 65536 addresses looked at, \d+ live(?:; (?:was )?slowed [^;]+)?$/,
    ),
  })
  const found = (await eventsOf(ctx, 'NEW_ASSET')).length
  expect(found).toBeGreaterThan(0)
  expect(await eventsOf(ctx, 'SCAN_COMPLETED')).toMatchObject([
    { scan_id: scan.id, status: 'cancelled', asset_count: found },
  ])
  await expect(cancelScan(ctx, scan.id)).rejects.toMatchObject({ status: 409, message: /cancelled already/ })
})

test('a scan that was cancelled before a worker came is never begun', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const scan = await started(ctx, '127.77.2.0/29')
  await cancelScan(ctx, scan.id)
  work(home)
  await until(async () => (await jobsLeft(home)) === 0)
  expect(await getScan(ctx, scan.id)).toMatchObject({
    status: 'cancelled',
    startedAt: null,
    message: 'cancelled',
  })
})

test('what a person can mend fails the scan at once, with a hint', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  work(home)
  // A label that is too long for DNS: the resolver says no without asking anybody.
  const { id } = await createTarget(ctx, { name: 'Gone', host: 'gone.invalid' })
  await ctx.db.run(sql`update scan_targets set address = ${`${'x'.repeat(64)}.invalid`} where id = ${id}`)
  const scan = await ended(ctx, await createScan(ctx, { type: 'sweep', targetId: id }))
  expect(scan).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('does not resolve; check the name'),
  })
  expect(await eventsOf(ctx, 'SCAN_COMPLETED')).toMatchObject([{ status: 'failed', asset_count: 0 }])
})

test('a stopping worker gives the scan back, and the next one runs it as if nothing had been', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const first = queueOf(home)
  const scan = await started(ctx, '127.77.3.0/25')
  await until(async () => (await getScan(ctx, scan.id)).status === 'running')
  await first.stop()
  expect(await getScan(ctx, scan.id)).toMatchObject({ status: 'running', message: 'waiting for a worker' })
  work(home)
  expect(await ended(ctx, scan)).toMatchObject({ status: 'completed', assetCount: 128 })
  expect(await attemptsOf(ctx, scan)).toBe(1)
})

test('a scan whose worker is killed in the middle is run again by another, from the beginning', async () => {
  const secretKey = randomBytes(32).toString('hex')
  const home = await testApp({ secretKey })
  const ctx = await home.newTenant()
  const script = join(import.meta.dirname, '../../../test/support/processes/job-queue-child.ts')
  const child = spawn(process.execPath, [script, JSON.stringify({ where: home.where, secretKey })])
  onTestFinished(() => void child.kill('SIGKILL'))
  const scan = await started(ctx, '127.77.4.0/25')
  await until(async () => (await getScan(ctx, scan.id)).status === 'running')
  child.kill('SIGKILL')
  await once(child, 'exit')
  work(home)
  expect(await ended(ctx, scan)).toMatchObject({ status: 'completed', assetCount: 128 })
  expect(await attemptsOf(ctx, scan)).toBe(2)
  expect(await eventsOf(ctx, 'NEW_ASSET')).toHaveLength(128)
  expect(await eventsOf(ctx, 'SCAN_COMPLETED')).toHaveLength(1)
})

test('a scan whose workers died three times is given up', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const scan = await started(ctx, '127.77.2.0/29')
  // As three workers leave it behind that were killed in the middle of it.
  await ctx.db.run(sql`
    update scans set status = 'running', started_at = clock_timestamp(), attempt = 3 where id = ${scan.id}`)
  work(home)
  expect(await ended(ctx, scan)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('given up'),
  })
  await until(async () => (await jobsLeft(home)) === 0)
})

test('an attempt that lost its lease to another stops and ends nothing', async () => {
  const home = await testApp()
  const ctx = await home.newTenant()
  const queue = work(home)
  const scan = await started(ctx, '127.79.0.0/16')
  await until(async () => (await getScan(ctx, scan.id)).status === 'running')
  await ctx.db.run(sql`update scans set attempt = attempt + 1 where id = ${scan.id}`)
  await until(async () => (await jobsLeft(home)) === 0)
  expect(await getScan(ctx, scan.id)).toMatchObject({ status: 'running' })
  expect(await eventsOf(ctx, 'SCAN_COMPLETED')).toEqual([])
  await queue.stop()
})

async function started(ctx: Ctx, cidr: string): Promise<Scan> {
  const target = await createTarget(ctx, { name: cidr, cidr })
  return createScan(ctx, { type: 'sweep', targetId: target.id })
}

async function ended(ctx: Ctx, { id }: Scan): Promise<Scan> {
  await until(async () => isFinished((await getScan(ctx, id)).status))
  return getScan(ctx, id)
}

function queueOf({ runtime }: TestApp): { stop: () => Promise<void> } {
  const { database, system, contextFor } = runtime
  return startQueue({ database, system, contextFor }, jobs)
}

/** A worker until the test ends. */
function work(home: TestApp): { stop: () => Promise<void> } {
  const queue = queueOf(home)
  onTestFinished(() => queue.stop())
  return queue
}

async function jobsLeft({ runtime }: TestApp): Promise<number> {
  const { left } = await runtime.system.db.one(sql<{ left: number }>`
    select count(*) as left from jobs where name = 'scans.run'`)
  return left
}

async function attemptsOf(ctx: Ctx, { id }: Scan): Promise<number> {
  return (await ctx.db.one(sql<{ attempt: number }>`select attempt from scans where id = ${id}`)).attempt
}

async function eventsOf(ctx: Ctx, type: string): Promise<unknown[]> {
  const rows = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = ${type} order by created_at`)
  return rows.map(({ body }) => JSON.parse(body.toString()) as unknown)
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}
