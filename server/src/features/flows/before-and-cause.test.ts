import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { setCustomField } from '#features/assets/editing/custom-values.ts'
import { deleteAssets } from '#features/assets/editing/delete-assets.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { getBackTest, startBackTest } from './back-test/back-tests.ts'
import { createFlow, getRun, startFlow, testFlow } from './flows.ts'
import { addTag, eventsOf, liveFlow, newAsset, runsOf, startWorker, untilIdle } from './flows.fixture.ts'
import { pastEvents } from './running/past-events.ts'
import { askAboutChanged } from './triggers/run-query.ts'

const home = sharedTestApp()
const onUpdate = { kind: 'event', eventTypes: ['UPDATED_ASSET'] }

async function state(ctx: Ctx): Promise<(assetId: string, value: string) => Promise<unknown>> {
  const { id: fieldId } = await defineCustomField(ctx, { name: 'state', kind: 'text' })
  return (assetId, value) => setCustomField(ctx, { assetId, fieldId, value })
}

test('a condition asks what the asset was before the change; what the event does not tell is unknown', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const setState = await state(ctx)
  await defineCustomField(ctx, { name: 'other', kind: 'text' })
  const flowWhen = (condition: string) =>
    liveFlow(ctx, { trigger: onUpdate, condition, steps: [addTag('{{before.custom.state}}')] }, condition)
  const broken = await flowWhen('before.custom.state = live and asset.custom.state = broken')
  const not = await flowWhen('not before.custom.other = x')
  const untold = await flowWhen('not has before.custom.state and not has before.name')
  const asset = await newAsset(ctx, 'a')
  await setState(asset, 'live')
  await setState(asset, 'broken')
  await untilIdle(ctx)
  expect(await runsOf(ctx, broken)).toMatchObject([{ status: 'succeeded', assetId: asset }])
  expect(await runsOf(ctx, not)).toEqual([])
  expect(await runsOf(ctx, untold)).toHaveLength(1)
  expect((await getAsset(ctx, asset)).tags).toEqual(['live'])
  const [first] = await eventsOf(ctx, 'UPDATED_ASSET')
  expect(first).not.toHaveProperty('before')
})

test('a flow about an asset that is gone asks what it was', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const trigger = { kind: 'event', eventTypes: ['DELETED_ASSET'] }
  const condition = 'before.name: print and before.type = device and before.tag = old'
  const flow = await liveFlow(ctx, { trigger, condition, steps: [{ action: 'stop' }] })
  const ids = [await newAsset(ctx, 'print-1'), await newAsset(ctx, 'laptop-1')]
  await ctx.db.run(
    sql`update assets set tags = '{old}', asset_type = 'device' where tenant_id = ${ctx.tenantId}`,
  )
  await atomically(ctx, (inner) => deleteAssets(inner, ids))
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded', assetId: ids[0] }])
})

test('back-tests and test runs with an event that was ask the same', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const setState = await state(ctx)
  const asset = await newAsset(ctx, 'a')
  await setState(asset, 'live')
  await setState(asset, 'broken')
  const definition = {
    trigger: onUpdate,
    condition: 'before.custom.state = live',
    steps: [addTag('was {{before.custom.state}}')],
  }
  const { id } = await startBackTest(ctx, { definition })
  await untilIdle(ctx)
  expect((await getBackTest(ctx, id)).result).toMatchObject({ runs: 1, sample: [{ assetId: asset }] })
  const flow = await createFlow(ctx, { name: 'f', definition })
  const tried = async () => {
    const events = await pastEvents(ctx, ['UPDATED_ASSET'])
    return Promise.all(
      events.map(({ payload, before }) =>
        testFlow(ctx, flow.id, { assetId: null, event: payload, before: before ?? undefined }),
      ),
    )
  }
  expect((await tried()).map(({ matches }) => matches)).toEqual([true, false])
  expect((await tried())[0]?.steps).toMatchObject([{ output: { tags: ['was live'] } }])
})

test('only types of events that tell it have it', async () => {
  const ctx = await home().newTenant()
  await state(ctx)
  const created = (eventTypes: string[], condition: string) =>
    createFlow(ctx, {
      name: 'f',
      definition: { trigger: { kind: 'event', eventTypes }, condition, steps: [{ action: 'stop' }] },
    })
  const refused = { status: 400, message: expect.stringMatching(/^condition: .*before\./) }
  await expect(created(['NEW_ASSET'], 'before.name = x')).rejects.toMatchObject(refused)
  await expect(created(['DELETED_ASSET'], 'before.custom.state = x')).rejects.toMatchObject(refused)
  await created(['NEW_ASSET', 'UPDATED_ASSET'], 'before.custom.state = x')
})

test('events and runs say which run led to them, and how many flows did', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  await state(ctx)
  await defineCustomField(ctx, { name: 'other', kind: 'text' })
  const assetIds = [await newAsset(ctx, 'a')]
  const set = (field: string) => ({ action: 'set_field', with: { field, value: 'new' } })
  const stop = [{ action: 'stop' }]
  const about = (field: string) => `event.changed_fields = "custom_field:${field}"`
  const first = await liveFlow(ctx, { trigger: { kind: 'manual' }, steps: [set('state')] }, 'first')
  const onState = { trigger: onUpdate, condition: about('state'), steps: [set('other')] }
  const second = await liveFlow(ctx, onState, 'second')
  const third = await liveFlow(ctx, { trigger: onUpdate, condition: about('other'), steps: stop })
  const query = { kind: 'query', condition: 'custom.other = new', on: 'enter', per: 'asset' }
  const asking = await liveFlow(ctx, { trigger: query, steps: stop })
  await untilIdle(ctx)
  await startFlow(ctx, first.id, { assetIds })
  await untilIdle(ctx)
  await askAboutChanged(ctx, new AbortController().signal)
  await untilIdle(ctx)
  const runs = (await Promise.all([first, second, third, asking].map((it) => runsOf(ctx, it)))).flat()
  const [run1, run2] = runs
  const byFirst = { runId: run1?.id, flowId: first.id, flowName: 'first', depth: 1 }
  const bySecond = { runId: run2?.id, flowId: second.id, flowName: 'second', depth: 2 }
  // of several changes of an asset a query trigger takes the one with the shortest chain
  expect(runs.map(({ causedBy }) => causedBy)).toEqual([null, byFirst, bySecond, byFirst])
  expect(await getRun(ctx, runs[2]?.id ?? '')).toMatchObject({ causedBy: bySecond })
  const caused = await ctx.db.all(sql<{ type: string; run: string | null; depth: number | null }>`
    select type, cause_run as run, cause_depth as depth from events
    where tenant_id = ${ctx.tenantId} and type in ('NEW_ASSET', 'UPDATED_ASSET') order by created_at`)
  expect(caused).toEqual([
    { type: 'NEW_ASSET', run: null, depth: null },
    { type: 'UPDATED_ASSET', run: run1?.id, depth: 1 },
    { type: 'UPDATED_ASSET', run: run2?.id, depth: 2 },
  ])
})
