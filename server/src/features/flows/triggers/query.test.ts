import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addTags, archiveAsset, removeTags, setCustomField } from '#features/assets/assets.ts'
import { defineCustomField, deleteCustomField } from '#features/assets/editing/custom-fields.ts'
import type { Field } from '#platform/conditions/field.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { liveFlow, newAsset, passTime, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { getFlow } from '../flows.ts'
import type { Flow } from '../flow.ts'
import { askAboutAll, askAboutChanged, enqueueWholePasses } from './run-query.ts'

const home = sharedTestApp()

const query = (trigger: object) => ({ trigger: { kind: 'query', ...trigger }, steps: [{ action: 'stop' }] })

/** What events marked as changed is asked about now. */
async function settle(ctx: Ctx): Promise<void> {
  await untilIdle(ctx)
  await passTime(ctx)
  await untilIdle(ctx)
}

const assetsOf = async (ctx: Ctx, flow: Flow) => (await runsOf(ctx, flow)).map(({ assetId }) => assetId)

test('starts for assets that enter or leave, and not for those that the first look finds', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const old = await newAsset(ctx, 'old')
  await addTags(ctx, { assetIds: [old], tags: ['hot'] })
  const enter = await liveFlow(ctx, query({ condition: 'tag = hot' }))
  const leave = await liveFlow(ctx, query({ condition: 'tag = hot', on: 'leave' }))
  await settle(ctx)
  expect([await assetsOf(ctx, enter), await assetsOf(ctx, leave)]).toEqual([[], []])
  const fresh = await newAsset(ctx, 'fresh')
  await addTags(ctx, { assetIds: [fresh], tags: ['hot'] })
  await removeTags(ctx, { assetIds: [old], tags: ['hot'] })
  for (const { id } of [enter, leave]) await askAboutAll(ctx, { flowId: id })
  await settle(ctx)
  for (const { id } of [enter, leave]) await askAboutAll(ctx, { flowId: id })
  await settle(ctx)
  expect([await assetsOf(ctx, enter), await assetsOf(ctx, leave)]).toEqual([[fresh], [old]])
  expect((await runsOf(ctx, enter))[0]).toMatchObject({ cause: 'query', status: 'succeeded' })
})

test('each flow of a tenant is asked about all assets from time to time, not only the first', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flows = [
    await liveFlow(ctx, query({ condition: 'last_seen < -1d' }), 'one day'),
    await liveFlow(ctx, query({ condition: 'last_seen < -2d' }), 'two days'),
  ]
  const asset = await newAsset(ctx, 'silent')
  await settle(ctx)
  await ctx.db.run(sql`
    update assets set last_seen = now() - interval '9 days' where tenant_id = ${ctx.tenantId} and id = ${asset}`)
  await enqueueWholePasses(home().runtime.system)
  await untilIdle(ctx)
  expect(await Promise.all(flows.map((flow) => assetsOf(ctx, flow)))).toEqual([[asset], [asset]])
})

test('is asked again about the asset that an event is about, without a look at all', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const field = await defineCustomField(ctx, { name: 'stage', kind: 'text' })
  const flow = await liveFlow(ctx, query({ condition: 'name = b' }))
  await untilIdle(ctx)
  const asset = await newAsset(ctx, 'b')
  await settle(ctx)
  expect(await assetsOf(ctx, flow)).toEqual([asset])
  await setCustomField(ctx, { assetId: asset, fieldId: field.id, value: 'x' })
  await settle(ctx)
  expect(await assetsOf(ctx, flow)).toEqual([asset])
  await archiveAsset(ctx, asset)
  await settle(ctx)
  const members = await ctx.db.all(sql`select 1 from flow_members where tenant_id = ${ctx.tenantId}`)
  expect(members).toEqual([])
})

test('with batches starts one run, whose steps can go through the assets', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const steps = [
    {
      action: 'for_each',
      list: 'event.assets',
      steps: [{ action: 'add_tags', with: { tags: ['{{item.asset_name}} of {{event.count}}'] } }],
    },
  ]
  const flow = await liveFlow(ctx, { ...query({ condition: 'name:host', per: 'batch' }), steps })
  await settle(ctx)
  for (const name of ['host-1', 'host-2']) await newAsset(ctx, name)
  await askAboutAll(ctx, { flowId: flow.id })
  await settle(ctx)
  expect((await runsOf(ctx, flow)).map(({ status, assetId }) => [status, assetId])).toEqual([
    ['succeeded', null],
  ])
  const tags = await ctx.db.all(sql<{ tags: string[] }>`
    select tags from assets where tenant_id = ${ctx.tenantId} order by name`)
  expect(tags).toEqual([{ tags: ['host-1 of 2'] }, { tags: ['host-2 of 2'] }])
})

test('two flows that move an asset to and fro end at the loop guard', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const asset = await newAsset(ctx, 'a')
  const swap = (from: string, to: string) => ({
    trigger: { kind: 'query', condition: `tag = ${from}` },
    steps: [
      { action: 'add_tags', with: { tags: [to] } },
      { action: 'remove_tags', with: { tags: [from] } },
    ],
  })
  const one = await liveFlow(ctx, swap('x', 'y'), 'one')
  const other = await liveFlow(ctx, swap('y', 'x'), 'other')
  for (const { id } of [one, other]) await askAboutAll(ctx, { flowId: id })
  await addTags(ctx, { assetIds: [asset], tags: ['x'] })
  for (let n = 0; n < 5; n++) await settle(ctx)
  const told = async (flow: Flow) => (await runsOf(ctx, flow)).map(({ status, reason }) => reason ?? status)
  expect(await told(other)).toEqual(['succeeded'])
  expect((await told(one)).toReversed()).toEqual([
    'succeeded',
    'loop: the flow stands among those that led here',
  ])
})

/** With a field that takes a minute to ask, and a limit of two seconds. */
function withSlowField(ctx: Ctx): Ctx {
  const slow: Field = {
    name: 'slow',
    type: 'bool',
    sentence: 'takes too long',
    source: 'this test',
    read: () => undefined,
    sql: sql`(pg_sleep(60) is not null)`,
  }
  const on: Ctx['conditions']['on'] = async (inner, name) => {
    await inner.db.run(sql`set local statement_timeout = '2s'`)
    const subject = await ctx.conditions.on(inner, name)
    const { vocabulary } = subject
    return { ...subject, vocabulary: { ...vocabulary, fields: [...vocabulary.fields, slow] } }
  }
  return { ...ctx, conditions: { ...ctx.conditions, on } }
}

const rowsOf = (ctx: Ctx, { id }: Flow) =>
  ctx.db.all(sql<{ status: string; assetId: string | null; reason: string | null }>`
    select status, asset_id as "assetId", reason from flow_runs where tenant_id = ${ctx.tenantId} and flow_id = ${id}`)

test('a condition that takes too long undoes nothing of the other flows, and is told once', async () => {
  const plain = await home().newTenant()
  const ctx = withSlowField(plain)
  const slow = await liveFlow(ctx, query({ condition: 'slow = yes' }), 'slow')
  const good = await liveFlow(ctx, query({ condition: 'name = a' }), 'good')
  await askAboutAll(ctx, { flowId: good.id })
  await ctx.db.run(sql`
    update flows set members_since = now() where tenant_id = ${ctx.tenantId} and id = ${slow.id}`)
  const asset = await newAsset(ctx, 'a')
  await askAboutChanged(ctx, new AbortController().signal)
  await askAboutAll(ctx, { flowId: slow.id })
  expect(await rowsOf(ctx, good)).toMatchObject([{ status: 'new', assetId: asset }])
  expect(await rowsOf(ctx, slow)).toMatchObject([
    { status: 'skipped', reason: expect.stringContaining('took too long') },
  ])
  const left = await ctx.db.all(sql`select 1 from flow_changed_assets where tenant_id = ${ctx.tenantId}`)
  expect(left).toEqual([])
  expect(await getFlow(ctx, slow.id)).toMatchObject({ enabled: true })
})

test('a flow whose person has left, or whose condition can be read no more, is paused with the reason', async () => {
  const ctx = await home().newTenant()
  const field = await defineCustomField(ctx, { name: 'stage', kind: 'text' })
  const left = await liveFlow(ctx, query({ condition: 'name = a' }), 'left')
  const unreadable = await liveFlow(ctx, query({ condition: 'custom.stage = x' }), 'unreadable')
  const good = await liveFlow(ctx, query({ condition: 'name = a' }), 'good')
  for (const { id } of [left, unreadable, good]) await askAboutAll(ctx, { flowId: id })
  await deleteCustomField(ctx, field.id)
  await ctx.db.run(sql`
    update flow_versions set run_as = gen_random_uuid() where tenant_id = ${ctx.tenantId} and flow_id = ${left.id}`)
  const asset = await newAsset(ctx, 'a')
  await askAboutChanged(ctx, new AbortController().signal)
  expect(await rowsOf(ctx, good)).toMatchObject([{ assetId: asset }])
  expect(await getFlow(ctx, left.id)).toMatchObject({
    enabled: false,
    pausedReason: expect.stringContaining('no longer a member'),
  })
  expect(await getFlow(ctx, unreadable.id)).toMatchObject({
    enabled: false,
    pausedReason: expect.stringContaining('custom.stage'),
  })
})

test('an asset that changes while flows are asked about it stays to be asked about again', async () => {
  const ctx = await home().newTenant()
  const flow = await liveFlow(ctx, query({ condition: 'tag = hot' }))
  await askAboutAll(ctx, { flowId: flow.id })
  const asset = await newAsset(ctx, 'a')
  let isFirst = true
  const on: Ctx['conditions']['on'] = async (inner, name) => {
    if (isFirst) {
      isFirst = false
      await addTags(ctx, { assetIds: [asset], tags: ['hot'] })
      await ctx.db.run(sql`
        update flow_changed_assets set changes = changes + 1 where tenant_id = ${ctx.tenantId}`)
    }
    return ctx.conditions.on(inner, name)
  }
  await askAboutChanged({ ...ctx, conditions: { ...ctx.conditions, on } }, new AbortController().signal)
  const waiting = await ctx.db.all(sql<{ id: string }>`
    select asset_id as id from flow_changed_assets where tenant_id = ${ctx.tenantId}`)
  expect(waiting).toEqual([{ id: asset }])
})
