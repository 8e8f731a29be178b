import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { countMatches } from '../definition/count-matches.ts'
import { addTag, liveFlow, newAsset, onNewAsset, startWorker } from '../flows.fixture.ts'
import { testFlow } from '../flows.ts'
import { pastEvents } from './past-events.ts'

const home = sharedTestApp()

test('a flow is tested with an event that was, about its asset', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, {
    trigger: onNewAsset,
    condition: 'event.asset_name: printer',
    steps: [addTag('{{event.asset_name}}')],
  })
  const server = await newAsset(ctx, 'server')
  const printer = await newAsset(ctx, 'printer')
  const events = await pastEvents(ctx, ['NEW_ASSET'])
  expect(events.map(({ payload }) => payload['asset_id'])).toEqual([printer, server])
  const [ofPrinter, ofServer] = events
  const tested = await testFlow(ctx, flow.id, { assetId: null, event: ofPrinter?.payload })
  expect(tested).toMatchObject({
    matches: true,
    steps: [{ fault: null }],
    wouldChange: { total: 1, subjects: [{ id: printer, becomesTrue: ['tag = printer'] }] },
  })
  const other = await testFlow(ctx, flow.id, { assetId: null, event: ofServer?.payload })
  expect(other).toMatchObject({ matches: false, wouldChange: { total: 0 } })
})

test('a condition says how many of the newest events it lets through', async () => {
  const ctx = await home().newTenant()
  for (const name of ['a-1', 'a-2', 'b-1']) await newAsset(ctx, name)
  const count = (text: string, trigger: object = onNewAsset) => countMatches(ctx, trigger, text)
  expect(await count('')).toEqual({ events: 3, matching: 3 })
  expect(await count('event.asset_name: a')).toEqual({ events: 3, matching: 2 })
  expect(await count('asset.hostname = b-1')).toEqual({ events: 3, matching: 1 })
  expect(await count('', { kind: 'manual' })).toBeNull()
  await expect(count('event.nonsense = 1')).rejects.toMatchObject({ status: 400 })
  const reader: Ctx = { ...ctx, actor: { ...ctx.actor, may: (it) => it === 'flows:read' } }
  await expect(countMatches(reader, onNewAsset, '')).rejects.toMatchObject({ status: 403 })
  await expect(pastEvents(reader, ['NEW_ASSET'])).rejects.toMatchObject({ status: 403 })
  await expect(pastEvents(ctx, ['NONSENSE'])).rejects.toMatchObject({ status: 400 })
})
