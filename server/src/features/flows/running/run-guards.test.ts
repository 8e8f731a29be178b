import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { emit } from '#features/events/events.ts'
import { listNoticeDeliveries } from '#features/notices/notices.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newPerson } from '#test/support/http/browser-session.ts'
import { actions } from '../actions/all.ts'
import type { InnerAction } from '../actions/action.ts'
import {
  addTag,
  liveFlow,
  newAsset,
  onNewAsset,
  passTime,
  runsOf,
  startWorker,
  untilIdle,
} from '../flows.fixture.ts'
import { createFlow, getRun, publishFlow, setFlowEnabled, startFlow } from '../flows.ts'
import { pauseFlow } from '../pause-flow.ts'
import { performStep } from './perform-step.ts'
import { removeOldRuns } from './run-retention.ts'
import * as store from './run-store.ts'

const home = sharedTestApp()
const MINUTE_MS = 60_000
const waiting = { action: 'wait', minutes: 5 }
const later = (ctx: Ctx, minutes: number): Ctx => ({
  ...ctx,
  now: () => new Date(Date.now() + minutes * MINUTE_MS),
})

async function claimed(ctx: Ctx, id: string) {
  const run = await store.claim(ctx, id)
  if (!run) throw new Error('not claimed')
  return run
}

describe('a run ends', () => {
  test('when workers have had it for an hour, however often it waited meanwhile', async () => {
    const ctx = await home().newTenant()
    const { stop } = startWorker(home())
    const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [waiting, addTag('never')] })
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    await stop()
    await passTime(ctx)
    const id = (await runsOf(ctx, flow))[0]?.id ?? ''
    for (const minutes of [0, 120]) {
      const run = await claimed(later(ctx, minutes), id)
      await store.change(later(ctx, minutes + 31), run, {})
    }
    startWorker(home())
    await untilIdle(ctx)
    expect(await runsOf(ctx, flow)).toMatchObject([
      { status: 'failed', reason: 'running for more than an hour' },
    ])
    expect((await getAsset(ctx, asset)).tags).toEqual([])
  })

  test('after so many instructions, of which loops without steps have many', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const loop = {
      action: 'for_each',
      list: 'event.asset_ids',
      steps: [{ action: 'if', condition: 'event.status = fail', steps: [addTag('x')] }],
    }
    const trigger = { kind: 'event', eventTypes: ['COMPLIANCE_UPDATED'] }
    const flow = await liveFlow(ctx, { trigger, steps: [loop, waiting, addTag('never')] })
    await emit(ctx, [{ type: 'COMPLIANCE_UPDATED', payload: { asset_ids: ['1', '2', '3'] } }])
    await untilIdle(ctx)
    const { done } = await ctx.db.one(sql<{ done: number }>`
      select instructions_done as done from flow_runs where tenant_id = ${ctx.tenantId}`)
    expect(done).toBe(1 + 3 * 2 + 1)
    await ctx.db.run(sql`update flow_runs set instructions_done = 50000 where tenant_id = ${ctx.tenantId}`)
    await passTime(ctx)
    await untilIdle(ctx)
    expect(await runsOf(ctx, flow)).toMatchObject([
      { status: 'failed', reason: 'more than 50000 instructions' },
    ])
  })

  test('when it would have to remember more than it can, and the step is undone', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const names = Array.from({ length: 30 }, (_, n) => `f${n}`)
    const fields = Object.fromEntries(names.map((name) => [name, 'text']))
    const steps = [{ ...addTag('never'), name: 'tagged' }]
    const flow = await liveFlow(ctx, { trigger: { kind: 'manual', fields }, steps })
    const asset = await newAsset(ctx, 'a')
    const inputs = Object.fromEntries(names.map((name) => [name, 'x'.repeat(9_000)]))
    await startFlow(ctx, flow.id, { assetIds: [asset], inputs })
    await untilIdle(ctx)
    expect(await runsOf(ctx, flow)).toMatchObject([
      { status: 'failed', reason: expect.stringMatching(/^steps\[0\]: context: .* larger than 256 KiB$/) },
    ])
    expect((await getAsset(ctx, asset)).tags).toEqual([])
  })

  test('at once when the address policy refuses where a request would go', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const request = { action: 'http_request', with: { url: 'http://10.0.0.1/' } }
    const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [request] })
    await newAsset(ctx, 'a')
    await untilIdle(ctx)
    const [run] = await runsOf(ctx, flow)
    expect(run).toMatchObject({ status: 'failed', reason: 'steps[0]: the host is not a public address' })
    expect((await getRun(ctx, run?.id ?? '')).steps).toMatchObject([{ status: 'failed' }])
  })
})

test('a step that a deadlock or a time-out undid is tried again', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const addTags = actions.get('add_tags') as InnerAction
  const deadlock = async (inner: Ctx) => {
    await inner.db.run(sql`do $$ begin raise deadlock_detected; end $$`)
  }
  // together with others, then alone
  const undone = vi.spyOn(addTags, 'run').mockImplementationOnce(deadlock).mockImplementationOnce(deadlock)
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] })
  const asset = await newAsset(ctx, 'a')
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'waiting', reason: null }])
  undone.mockRestore()
  await passTime(ctx)
  await untilIdle(ctx)
  expect((await getAsset(ctx, asset)).tags).toEqual(['x'])
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded' }])
})

test('a worker that has lost the run asks for no job for its request', async () => {
  const ctx = await home().newTenant()
  const { stop } = startWorker(home())
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [waiting] })
  await newAsset(ctx, 'a')
  await untilIdle(ctx)
  await stop()
  await passTime(ctx)
  await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId} and name = 'flows.executeRun'`)
  const id = (await runsOf(ctx, flow))[0]?.id ?? ''
  const lost = await claimed(ctx, id)
  await claimed(ctx, id)
  const step = { action: 'http_request', with: { url: 'https://example.org/' } }
  const version = { flowId: flow.id, n: 1, state: 'published', definition: flow.definition } as const
  const execution = {
    ctx,
    run: lost,
    version: { ...version, runAs: null, publishedAt: null, createdAt: '' },
    isOneOfMany: true,
  }
  await performStep(execution, { op: 'act', path: 'steps[0]', step })
  const jobs = await ctx.db.all(sql`
    select 1 from jobs where tenant_id = ${ctx.tenantId} and name = 'flows.executeRun'`)
  expect(jobs).toEqual([])
})

test('runs that ended three months ago are removed, also of a flow that is off', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] })
  for (const name of ['a', 'b']) await newAsset(ctx, name)
  await untilIdle(ctx)
  await setFlowEnabled(ctx, flow.id, false)
  const [old, young] = await runsOf(ctx, flow)
  await ctx.db.run(sql`
    update flow_runs set finished_at = now() - interval '91 days'
    where tenant_id = ${ctx.tenantId} and id = ${old?.id}`)
  await removeOldRuns(home().runtime.system)
  expect((await runsOf(ctx, flow)).map(({ id }) => id)).toEqual([young?.id])
})

test('a long transaction holds up the runs of no other event', async () => {
  const ctx = await home().newTenant()
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] })
  await newAsset(ctx, 'a')
  const end = Promise.withResolvers<void>()
  const long = atomically(ctx, async (inner) => {
    await emit(inner, [{ type: 'NEW_ASSET', payload: { asset_id: flow.id, asset_name: 'b' } }])
    await end.promise
  })
  startWorker(home())
  await vi.waitFor(async () => expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded' }]), {
    timeout: 20_000,
  })
  end.resolve()
  await long
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toHaveLength(2)
})

test('a flow whose own step always starts it again is not published', async () => {
  const ctx = await home().newTenant()
  await defineCustomField(ctx, { name: 'stage', kind: 'text' })
  const set = { action: 'set_field', with: { field: 'stage', value: 'x' } }
  const trigger = { kind: 'event', eventTypes: ['UPDATED_ASSET'] }
  const direct = await createFlow(ctx, { name: 'a', definition: { trigger, steps: [addTag('x'), set] } })
  await expect(publishFlow(ctx, direct.id)).rejects.toMatchObject({
    status: 400,
    extras: { field: 'steps[1]' },
    message: expect.stringContaining('UPDATED_ASSET'),
  })
  const condition = 'not has asset.custom.stage'
  const asked = await createFlow(ctx, { name: 'b', definition: { trigger, condition, steps: [set] } })
  expect(await publishFlow(ctx, asked.id)).toMatchObject({ publishedVersion: 1 })
})

test('whoever published a flow is told when it is paused', async () => {
  const ctx = await home().newTenant()
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] }, 'Tagging')
  const { id, email } = await newPerson(home(), ctx, { isAdmin: true })
  await ctx.db.run(sql`update flow_versions set run_as = ${id} where tenant_id = ${ctx.tenantId}`)
  await atomically(ctx, (inner) => pauseFlow(inner, flow.id, '10 runs in a row failed'))
  await atomically(ctx, (inner) => pauseFlow(inner, flow.id, 'again'))
  const { items } = await listNoticeDeliveries(ctx, { limit: 10, offset: 0 })
  expect(items).toMatchObject([
    { recipient: email, subject: 'The flow Tagging is off: 10 runs in a row failed' },
  ])
})
