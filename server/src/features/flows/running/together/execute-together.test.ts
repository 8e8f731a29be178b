import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp, testApp } from '#test/support/app/test-app.ts'
import type { Orders } from '#test/support/processes/flow-crash-child.ts'
import { addTag, eventsOf, liveFlow, passTime, runsOf } from '../../flows.fixture.ts'
import { getRun, startFlow } from '../../flows.ts'
import { admitRuns } from '../../triggers/admit-runs.ts'
import { executeRuns } from '../execute-run.ts'
import { admitted } from './together.fixture.ts'

const home = sharedTestApp()
const never = new AbortController().signal
const HOUR_MS = 3_600_000

const tagsOf = (ctx: Ctx, assets: readonly string[]) =>
  Promise.all(assets.map(async (id) => (await getAsset(ctx, id)).tags))

test('runs of one job are one transaction, in which each goes its own way', async () => {
  const ctx = await home().newTenant()
  const one = { action: 'if', condition: 'asset.hostname: b', steps: [addTag('one')], otherwise: [] }
  const { flow, assets, runIds } = await admitted(ctx, ['a', 'b', 'c'], [one, addTag('all')])
  const transaction = vi.spyOn(ctx.db, 'transaction')
  await executeRuns(ctx, { runIds }, never)
  expect(transaction).toHaveBeenCalledOnce()
  const runs = await runsOf(ctx, flow)
  expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  expect(await tagsOf(ctx, assets)).toEqual([['all'], ['all', 'one'], ['all']])
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toHaveLength(3)
  const logs = await Promise.all(runs.map(async ({ id }) => (await getRun(ctx, id)).steps.map((it) => it.n)))
  expect(logs.map(String).toSorted()).toEqual(['1', '1', '1,2'])
})

test('a step that is refused ends its own run and none of the others', async () => {
  const ctx = await home().newTenant()
  await defineCustomField(ctx, { name: 'number', kind: 'number' })
  const setNumber = { action: 'set_field', with: { field: 'number', value: '{{asset.name}}' } }
  const { flow, assets, runIds } = await admitted(ctx, ['1', 'x', '2'], [addTag('before'), setNumber])
  await executeRuns(ctx, { runIds }, never)
  const statuses = new Map((await runsOf(ctx, flow)).map((it) => [it.assetId, it.status]))
  expect(assets.map((id) => statuses.get(id))).toEqual(['succeeded', 'failed', 'succeeded'])
  expect(await tagsOf(ctx, assets)).toEqual([['before'], ['before'], ['before']])
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toHaveLength(3)
})

test('runs about one asset see what those before them did', async () => {
  const ctx = await home().newTenant()
  const steps = [
    { action: 'if', condition: 'asset.tag: first', steps: [addTag('second')], otherwise: [addTag('first')] },
  ]
  const { flow, assets } = await admitted(ctx, ['a'], steps)
  await startFlow(ctx, flow.id, { assetIds: assets })
  await admitRuns(ctx, never)
  const runIds = (await runsOf(ctx, flow)).map(({ id }) => id)
  expect(runIds).toHaveLength(2)
  await executeRuns(ctx, { runIds }, never)
  expect(await tagsOf(ctx, assets)).toEqual([['first', 'second']])
})

test('a run that FLOW_TRIGGERED starts names the run that began, though others began with it', async () => {
  const ctx = await home().newTenant()
  const trigger = { kind: 'event', eventTypes: ['FLOW_TRIGGERED'] }
  const next = await liveFlow(ctx, { trigger, runsPerMinute: 100, steps: [{ action: 'stop' }] }, 'next')
  const { runIds } = await admitted(ctx, ['a', 'b', 'c'], [addTag('x')])
  await executeRuns(ctx, { runIds }, never)
  await admitRuns(ctx, never)
  const causes = new Set((await runsOf(ctx, next)).map(({ causedBy }) => causedBy?.runId))
  expect(causes).toEqual(new Set(runIds))
})

test('what is too much for one transaction goes on in another one, still together', async () => {
  const ctx = await home().newTenant()
  const tags = Array.from({ length: 18 }, (_, n) => `t${n}`)
  const { flow, assets, runIds } = await admitted(ctx, ['a', 'b', 'c'], tags.map(addTag))
  const jobsBefore = await jobsOf(ctx)
  await executeRuns(ctx, { runIds }, never)
  const runs = await runsOf(ctx, flow)
  expect(runs.map(({ status }) => status)).toEqual(['running', 'running', 'running'])
  const steps = await Promise.all(runs.map(async ({ id }) => (await getRun(ctx, id)).steps.length))
  expect(steps.toSorted((a, b) => a - b)).toEqual([16, 17, 17])
  const [job, ...others] = (await jobsOf(ctx)).slice(jobsBefore.length)
  expect({ left: new Set(job?.runIds), others }).toEqual({ left: new Set(runIds), others: [] })
  await executeRuns(ctx, { runIds: job?.runIds ?? [] }, never)
  expect((await runsOf(ctx, flow)).map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
  ])
  for (const given of await tagsOf(ctx, assets)) expect(given.toSorted()).toEqual(tags.toSorted())
})

/** The runs of each job that executes some, the oldest first. */
async function jobsOf(ctx: Ctx) {
  const rows = await ctx.db.all(sql<{ payload: { runIds?: string[] } }>`
    select payload from jobs where tenant_id = ${ctx.tenantId} and name = 'flows.executeRun' order by id`)
  return rows.map(({ payload }) => payload)
}

test('the time that a run waited is not counted as running', async () => {
  const ctx = await home().newTenant()
  const wait = { action: 'wait', minutes: 5 }
  const { flow, assets, runIds } = await admitted(ctx, ['a'], [wait, addTag('x'), wait, addTag('y')])
  for (const hours of [0, 2, 4]) {
    const now = () => new Date(Date.now() + hours * HOUR_MS)
    await executeRuns({ ...ctx, now }, { runIds }, never)
    await passTime(ctx)
  }
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded', reason: null }])
  expect(await tagsOf(ctx, assets)).toEqual([['x', 'y']])
})

/** At which step of the run that acts in the middle of three the worker dies. */
const MOMENTS = [
  { step: 0, moment: 'after' },
  { step: 1, moment: 'after' },
] as const

test(
  'a worker that is killed with several runs loses nothing and does nothing twice',
  { timeout: 240_000 },
  async () => {
    const secretKey = randomBytes(32).toString('hex')
    const app = await testApp({ secretKey })
    const ctx = await app.newTenant()
    const asked = { action: 'request_approval', name: 'asked', with: { question: 'Really?' } }
    const { flow, assets, runIds } = await admitted(ctx, ['a', 'b', 'c'], [addTag('x'), asked])
    const [first, second, third] = runIds.map((runId) => ({ tenantId: ctx.tenantId, runId }))
    if (!first || !second || !third) throw new Error('three runs were asked for')
    for (const at of MOMENTS) {
      await killed({ where: app.where, secretKey, runs: [first, third, second], areTogether: true, ...at })
      expect(await tagsOf(ctx, assets)).toEqual([[], [], []])
      expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toEqual([])
    }
    await executeRuns(ctx, { runIds }, never)
    // the worker died between its commit and the queue's note of it
    await executeRuns(ctx, { runIds }, never)
    expect(await tagsOf(ctx, assets)).toEqual([['x'], ['x'], ['x']])
    for (const { id } of await runsOf(ctx, flow))
      expect((await getRun(ctx, id)).steps.map((it) => it.path)).toEqual(['steps[0]', 'steps[1]'])
    expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toHaveLength(3)
  },
)

async function killed(orders: Orders): Promise<void> {
  const script = join(import.meta.dirname, '../../../../../test/support/processes/flow-crash-child.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], { stdio: 'inherit' })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
}
