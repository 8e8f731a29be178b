import { beforeEach, expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { eventsOf, seen, sweep } from '#features/assets/observations.fixture.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { commands } from './cli.ts'
import { createAsset } from './manual-assets.ts'
import { submit } from './sources.ts'

const shared = sharedTestApp()
let ctx: Ctx
beforeEach(async () => {
  ctx = await shared().newTenant()
})

test('an asset made by hand is told of as new from the source manual; a scan that sees its serial joins it', async () => {
  const made = await createAsset(ctx, {
    name: 'Projector',
    vendor: 'Epson',
    serial: 'X7K90001',
    tags: ['hall'],
  })
  expect(made).toMatchObject({ name: 'Projector', isNew: true })
  expect((await eventsOf(ctx)).filter(({ type }) => type === 'NEW_ASSET')).toMatchObject([
    { asset_id: made.id, source: 'manual' },
  ])
  await submit(ctx, sweep, [seen('1', { serial: 'X7K90001', ip: '10.0.0.9' }, { os: 'EpsonOS' })])
  expect(await getAsset(ctx, made.id)).toMatchObject({
    ipAddress: '10.0.0.9',
    vendor: 'Epson',
    tags: ['hall'],
  })
})

test('two of one name are two; one of a known serial is the known one', async () => {
  const [a, b] = [await createAsset(ctx, { name: 'Desk' }), await createAsset(ctx, { name: 'Desk' })]
  expect(a.id).not.toBe(b.id)
  const first = await createAsset(ctx, { name: 'Plotter', vendor: 'HP', serial: 'X7K90002' })
  const again = await createAsset(ctx, { name: 'Plotter 2', vendor: 'HP', serial: 'X7K90002' })
  expect(again).toMatchObject({ id: first.id, isNew: false })
})

test.each([
  [{ name: ' ' }, 'name: '],
  [{ name: 'x', ipAddress: '10.0.0.300' }, 'ipAddress: is not an IPv4'],
  [{ name: 'x', macAddress: '00:11' }, 'macAddress: is not a MAC'],
  [{ name: 'x', assetType: 'toaster' as never }, 'assetType: '],
  [{ name: 'x', serial: 's'.repeat(300) }, 'serial: '],
])('%j is refused', async (input, why) => {
  await expect(createAsset(ctx, input)).rejects.toThrow(why)
})

test('at the command line', async () => {
  const { text, json } = await commands[0]!.run(ctx, {
    args: { name: 'Projector' },
    options: { serial: 'X7K90003', ip: '10.0.0.1', tag: 'a\nb' },
  })
  expect(text).toMatch(/^Added Projector \(/)
  expect(await getAsset(ctx, (json as { id: string }).id)).toMatchObject({
    serial: 'X7K90003',
    tags: ['a', 'b'],
  })
})
