import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { newUuid } from '#platform/uuid.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import {
  archiveFlow,
  cancelRun,
  createFlow,
  getFlow,
  getRun,
  listFlows,
  publishFlow,
  setFlowEnabled,
  startFlow,
  updateFlow,
} from './flows.ts'
import {
  addTag,
  eventsOf,
  liveFlow,
  newAsset,
  onNewAsset,
  passTime,
  runsOf,
  startWorker,
  untilIdle,
} from './flows.fixture.ts'
import { startScheduled } from './triggers/run-schedule.ts'

const home = sharedTestApp()
const PAGE = { limit: 50, offset: 0 }

describe('a flow that an event starts', () => {
  test('does its steps once for what its condition matches, and says that it began', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const flow = await liveFlow(ctx, {
      trigger: onNewAsset,
      condition: 'event.asset_name: print',
      steps: [addTag('printer {{event.asset_name | upper}}')],
    })
    const [printer, laptop] = [await newAsset(ctx, 'print-1'), await newAsset(ctx, 'laptop-1')]
    await untilIdle(ctx)
    expect((await getAsset(ctx, printer)).tags).toEqual(['printer PRINT-1'])
    expect((await getAsset(ctx, laptop)).tags).toEqual([])
    const [run, ...others] = await runsOf(ctx, flow)
    expect(others).toEqual([])
    expect(run).toMatchObject({ status: 'succeeded', cause: 'NEW_ASSET', assetId: printer })
    expect((await getRun(ctx, run?.id ?? '')).steps).toMatchObject([
      { path: 'steps[0]', action: 'add_tags', status: 'done', output: { tags: ['printer PRINT-1'] } },
    ])
    expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toMatchObject([
      { flow_id: flow.id, execution_id: run?.id, event_type: 'NEW_ASSET', tenant_id: ctx.tenantId },
    ])
    expect((await getFlow(ctx, flow.id)).lastTriggeredAt).toBe(run?.startedAt)
  })

  test('does nothing before it is published and switched on, and nothing after it is switched off', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const { id } = await createFlow(ctx, {
      name: 'draft',
      definition: { trigger: onNewAsset, steps: [addTag('x')] },
    })
    await newAsset(ctx, 'a')
    await expect(setFlowEnabled(ctx, id, true)).rejects.toMatchObject({ status: 409 })
    const published = await publishFlow(ctx, id)
    expect(published).toMatchObject({ enabled: false, publishedVersion: 1 })
    await newAsset(ctx, 'b')
    await setFlowEnabled(ctx, id, true)
    await newAsset(ctx, 'c')
    await setFlowEnabled(ctx, id, false)
    await newAsset(ctx, 'd')
    await untilIdle(ctx)
    expect((await runsOf(ctx, published)).length).toBeLessThanOrEqual(1)
  })

  test('runs the version that was published when it began; a draft changes nothing', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('one')] })
    await updateFlow(ctx, flow.id, { definition: { trigger: onNewAsset, steps: [addTag('two')] } })
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    expect((await getAsset(ctx, asset)).tags).toEqual(['one'])
  })

  test('started by FLOW_TRIGGERED emits none; two that start each other end at the loop guard', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    await defineCustomField(ctx, { name: 'seen by', kind: 'text' })
    const onUpdate = { kind: 'event', eventTypes: ['UPDATED_ASSET'] }
    const set = (value: string) => ({ action: 'set_field', with: { field: 'seen by', value } })
    const onA = { trigger: onUpdate, condition: 'event.asset_name = a' }
    const first = await liveFlow(ctx, { ...onA, steps: [set('first')] }, 'first')
    const second = await liveFlow(ctx, { ...onA, steps: [set('second')] }, 'second')
    const starter = await liveFlow(ctx, { trigger: onNewAsset, steps: [set('starter')] }, 'starter')
    const onFlow = await liveFlow(ctx, {
      trigger: { kind: 'event', eventTypes: ['FLOW_TRIGGERED'] },
      steps: [{ action: 'stop' }],
    })
    await newAsset(ctx, 'a')
    await untilIdle(ctx)
    const guarded = [...(await runsOf(ctx, first)), ...(await runsOf(ctx, second))].filter(
      (it) => it.status === 'skipped',
    )
    expect(guarded.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(/^loop/))
    const triggered = await eventsOf(ctx, 'FLOW_TRIGGERED')
    expect(triggered.filter(({ flow_id }) => flow_id === onFlow.id)).toEqual([])
    expect(triggered.filter(({ flow_id }) => flow_id === starter.id)).toHaveLength(1)
    expect((await runsOf(ctx, onFlow)).length).toBeGreaterThan(0)
  })

  test('leaves a row with the name of the guard that skipped it', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const flow = await liveFlow(ctx, { trigger: onNewAsset, runsPerMinute: 2, steps: [{ action: 'stop' }] })
    for (const name of ['a', 'b', 'c', 'd']) await newAsset(ctx, name)
    await untilIdle(ctx)
    const runs = await runsOf(ctx, flow)
    expect(runs.filter(({ status }) => status === 'succeeded')).toHaveLength(2)
    expect(runs.filter(({ status }) => status === 'skipped').map(({ reason }) => reason)).toEqual([
      'rate: more than 2 runs a minute',
      'rate: more than 2 runs a minute',
    ])
  })
})

describe('conditions on the asset', () => {
  test('are asked of it as it is when the run begins, and unknown is no match', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const flow = await liveFlow(ctx, {
      trigger: onNewAsset,
      condition: 'asset.name:print',
      steps: [
        addTag('first'),
        { action: 'if', condition: 'asset.tag=first and not has asset.serial', steps: [addTag('second')] },
        { action: 'if', condition: 'asset.serial=x', steps: [addTag('never')], otherwise: [addTag('third')] },
      ],
    })
    const [printer] = [await newAsset(ctx, 'print-1'), await newAsset(ctx, 'other')]
    await untilIdle(ctx)
    expect((await getAsset(ctx, printer)).tags).toEqual(['first', 'second', 'third'])
    expect(await runsOf(ctx, flow)).toHaveLength(1)
  })
})

test('a chain of six flows ends at the fifth', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const onUpdate = { kind: 'event', eventTypes: ['UPDATED_ASSET'] }
  const flows = []
  for (let n = 0; n < 6; n++) {
    await defineCustomField(ctx, { name: `f${n}`, kind: 'text' })
    const condition = n === 0 ? '' : `event.changed_fields = "custom_field:f${n - 1}"`
    const steps = [{ action: 'set_field', with: { field: `f${n}`, value: 'x' } }]
    flows.push(
      await liveFlow(ctx, { trigger: n === 0 ? onNewAsset : onUpdate, condition, steps }, `flow ${n}`),
    )
  }
  await newAsset(ctx, 'a')
  await untilIdle(ctx)
  const ends = await Promise.all(
    flows.map(async (flow) => (await runsOf(ctx, flow)).map((it) => it.reason ?? it.status)),
  )
  expect(ends.flat()).toEqual([...Array.from({ length: 5 }, () => 'succeeded'), 'chain: 5 flows led here'])
})

test('a worker that takes over goes on where the last commit was', async () => {
  const ctx = await home().newTenant()
  const flow = await liveFlow(ctx, {
    trigger: onNewAsset,
    steps: [addTag('one'), { action: 'wait', minutes: 1 }, addTag('two')],
  })
  const first = startWorker(home())
  const asset = await newAsset(ctx, 'a')
  await untilIdle(ctx)
  await first.stop()
  await ctx.db.run(sql`update flow_runs set claim = claim + 1 where tenant_id = ${ctx.tenantId}`)
  await passTime(ctx)
  startWorker(home())
  await untilIdle(ctx)
  expect((await getAsset(ctx, asset)).tags).toEqual(['one', 'two'])
  expect((await runsOf(ctx, flow))[0]).toMatchObject({ status: 'succeeded' })
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toHaveLength(1)
})

test('a schedule starts one run, however long nobody was there, and knows its next time', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, {
    trigger: { kind: 'schedule', cron: '0 8 * * 1', zone: 'Europe/Berlin' },
    steps: [{ action: 'stop' }],
  })
  const dueAgo = async (hours: number): Promise<string> => {
    const { at } = await ctx.db.one(sql<{ at: string }>`
      update flows set next_at = date_trunc('milliseconds', clock_timestamp() - make_interval(hours => ${hours}))
      where tenant_id = ${ctx.tenantId} and id = ${flow.id} returning next_at as at`)
    return at
  }
  const dueAt = await dueAgo(3)
  await startScheduled(ctx, { flowId: flow.id, dueAt })
  await startScheduled(ctx, { flowId: flow.id, dueAt })
  await startScheduled(ctx, { flowId: flow.id, dueAt: await dueAgo(30) })
  await untilIdle(ctx)
  expect((await runsOf(ctx, flow)).map(({ status, cause }) => `${cause} ${status}`).toSorted()).toEqual([
    'schedule skipped',
    'schedule succeeded',
  ])
  expect(await eventsOf(ctx, 'FLOW_TRIGGERED')).toMatchObject([{ event_type: 'schedule' }])
})

test('by hand it runs once for each asset; a waiting run can be cancelled once', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const assets = [await newAsset(ctx, 'a'), await newAsset(ctx, 'b')]
  const flow = await liveFlow(ctx, { trigger: { kind: 'manual' }, steps: [{ action: 'wait', minutes: 9 }] })
  expect(await startFlow(ctx, flow.id, { assetIds: assets })).toBe(2)
  await expect(startFlow(ctx, flow.id, { assetIds: ['x'] })).rejects.toMatchObject({
    status: 400,
    extras: { field: 'assetIds' },
  })
  const elsewhere = await newAsset(await home().newTenant(), 'c')
  for (const unknown of [elsewhere, newUuid(ctx.now())])
    await expect(startFlow(ctx, flow.id, { assetIds: [...assets, unknown] })).rejects.toMatchObject({
      status: 404,
      message: 'asset not found',
    })
  await untilIdle(ctx)
  const [run] = await runsOf(ctx, flow)
  expect(await cancelRun(ctx, run?.id ?? '')).toMatchObject({ status: 'cancelled' })
  await expect(cancelRun(ctx, run?.id ?? '')).rejects.toMatchObject({ status: 409 })
})

test('archived flows are listed no more', async () => {
  const ctx = await home().newTenant()
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] })
  await archiveFlow(ctx, flow.id)
  expect(await listFlows(ctx, PAGE)).toEqual({ items: [], total: 0 })
  await expect(getFlow(ctx, flow.id)).rejects.toMatchObject({ status: 404 })
})

test('who publishes must be allowed what the steps do', async () => {
  const ctx = await home().newTenant()
  const { id } = await createFlow(ctx, {
    name: 'f',
    definition: { trigger: onNewAsset, steps: [addTag('x')] },
  })
  const may = (permission: string) => permission.startsWith('flows:')
  const limited = { ...ctx, actor: { ...ctx.actor, may } }
  await expect(publishFlow(limited, id)).rejects.toMatchObject({
    status: 403,
    message: 'add_tags needs the permission assets:write',
  })
})

test.each<[string, number, (text: string) => object]>([
  ['name', 200, (name) => ({ name })],
  ['description', 2_000, (description) => ({ description })],
])('%s of a flow has up to %i characters, whatever their bytes', async (field, most, given) => {
  const ctx = await home().newTenant()
  const flow = { name: 'f', definition: { trigger: onNewAsset, steps: [addTag('x')] } }
  expect(
    await refusedBeyond(most, (size) => createFlow(ctx, { ...flow, ...given('\u{1f600}'.repeat(size)) })),
  ).toBe(field)
})
