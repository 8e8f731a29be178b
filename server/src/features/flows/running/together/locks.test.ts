import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { lockOfTenant, tryLockOfTenant } from '#platform/database/advisory-locks.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, liveFlow, newAsset, runsOf } from '../../flows.fixture.ts'
import { startFlow } from '../../flows.ts'
import { admitRuns } from '../../triggers/admit-runs.ts'
import { executeRuns } from '../execute-run.ts'
import { admitted } from './together.fixture.ts'

const home = sharedTestApp()
const never = new AbortController().signal
const weigh = { action: 'set_weight', with: { criticality: 'high' } }
const setDepartment = { action: 'set_record', with: { field: 'department', value: 'Sales' } }

/** Executes the runs while another transaction has taken what `before` takes; once they wait for it, it does `then`. */
async function whileLocked(
  ctx: Ctx,
  runIds: readonly string[],
  [before, then]: readonly [(inner: Ctx) => Promise<unknown>, (inner: Ctx) => Promise<unknown>],
): Promise<void> {
  let executing: Promise<void> | undefined
  await atomically(ctx, async (inner) => {
    await before(inner)
    executing = executeRuns(ctx, { runIds }, never)
    await Promise.race([executing, vi.waitUntil(() => isWaitedFor(inner), { timeout: 20_000 })])
    expect(await isWaitedFor(inner)).toBe(true)
    await then(inner)
  })
  await executing
}

/** Not by pg_stat_activity, which a transaction sees as it was at its first look. */
async function isWaitedFor({ db }: Ctx): Promise<boolean> {
  const { n } = await db.one(sql<{ n: number }>`
    select count(*) as n from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`)
  return n > 0
}

const lockAsset = (ctx: Ctx, id: string | undefined) =>
  ctx.db.one(sql`select id from assets where tenant_id = ${ctx.tenantId} and id = ${id} for update nowait`)

const lockFlow = (ctx: Ctx, id: string | undefined) =>
  ctx.db.one(
    sql`select id from flows where tenant_id = ${ctx.tenantId} and id = ${id} for no key update nowait`,
  )

test('runs that wait for the lock of findings have locked no asset, which matching locks after it', async () => {
  const ctx = await home().newTenant()
  const { flow, assets, runIds } = await admitted(ctx, ['a', 'b'], [addTag('x'), weigh])
  await whileLocked(ctx, runIds, [
    (inner) => inner.db.run(lockOfTenant('findings', ctx.tenantId)),
    (inner) => lockAsset(inner, assets[0]),
  ])
  expect((await runsOf(ctx, flow)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
})

test('runs that wait for the lock of identity do not have that of findings, which archiving takes after it', async () => {
  const ctx = await home().newTenant()
  const { flow, runIds } = await admitted(ctx, ['a', 'b'], [weigh, addTag('x')])
  await whileLocked(ctx, runIds, [
    (inner) => inner.db.run(lockOfTenant('identity', ctx.tenantId)),
    async (inner) =>
      expect(await inner.db.one(tryLockOfTenant('findings', ctx.tenantId))).toEqual({ isOurs: true }),
  ])
  expect((await runsOf(ctx, flow)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
})

test('runs of several flows lock their assets in one order', async () => {
  const ctx = await home().newTenant()
  const assets: string[] = []
  for (const name of ['a', 'b', 'c']) assets.push(await newAsset(ctx, name))
  const [one = '', two = '', three = ''] = assets.toSorted()
  const runIds: string[] = []
  for (const assetIds of [[one, three], [two]]) {
    const flow = await liveFlow(ctx, { trigger: { kind: 'manual' }, steps: [setDepartment] })
    await startFlow(ctx, flow.id, { assetIds })
    await admitRuns(ctx, never)
    runIds.push(...(await runsOf(ctx, flow)).map(({ id }) => id))
  }
  await whileLocked(ctx, runIds, [
    (inner) => lockAsset(inner, two),
    async (inner) => expect(await lockAsset(inner, three)).toEqual({ id: three }),
  ])
})

test('runs of several flows lock their flows in one order', async () => {
  const ctx = await home().newTenant()
  const both = [await admitted(ctx, ['a'], [addTag('x')]), await admitted(ctx, ['b'], [addTag('x')])]
  // as if both flows had failed before, so that a success is noted
  await ctx.db.run(sql`update flows set failures_in_a_row = 1 where tenant_id = ${ctx.tenantId}`)
  const [smaller, larger] = both.toSorted((a, b) => (a.flow.id < b.flow.id ? -1 : 1))
  // runs are executed in the order in which they were made
  await ctx.db.run(sql`
    update flow_runs set created_at = created_at - interval '1 minute'
    where tenant_id = ${ctx.tenantId} and flow_id = ${larger?.flow.id}`)
  const runIds = both.flatMap((it) => it.runIds)
  await whileLocked(ctx, runIds, [
    (inner) => lockFlow(inner, smaller?.flow.id),
    async (inner) => expect(await lockFlow(inner, larger?.flow.id)).toEqual({ id: larger?.flow.id }),
  ])
})

test('a run that another worker had goes on where that one left it', async () => {
  const ctx = await home().newTenant()
  const { assets, runIds } = await admitted(ctx, ['a'], [addTag('one'), addTag('two')])
  const moveOn = (inner: Ctx) =>
    inner.db.run(sql`
      update flow_runs set cursor = 1 where tenant_id = ${ctx.tenantId} and id = ${runIds[0]}`)
  await whileLocked(ctx, runIds, [moveOn, async () => undefined])
  expect((await getAsset(ctx, assets[0] ?? '')).tags).toEqual(['two'])
})
