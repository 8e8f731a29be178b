import { expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, liveFlow, newAsset, runsOf, startWorker, untilIdle } from '../flows.fixture.ts'
import { startFlow } from '../flows.ts'

const home = sharedTestApp()
const byHand = { trigger: { kind: 'manual' }, steps: [addTag('chosen')] }

test('a flow is started for all assets of a condition, and for a thousand at most', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, byHand)
  const [a, b] = [await newAsset(ctx, 'a-1'), await newAsset(ctx, 'b-1')]
  expect(await startFlow(ctx, flow.id, { where: 'hostname: a' })).toBe(1)
  await untilIdle(ctx)
  expect((await getAsset(ctx, a)).tags).toEqual(['chosen'])
  expect((await getAsset(ctx, b)).tags).toEqual([])
  const nobody = startFlow(ctx, flow.id, { where: 'hostname: nobody' })
  await expect(nobody).rejects.toMatchObject({ status: 400, message: 'where: is true for no asset' })
  const wrong = startFlow(ctx, flow.id, { where: 'nonsense = 1' })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
  const many = Array.from(
    { length: 1_001 },
    (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  )
  const tooMany = startFlow(ctx, flow.id, { assetIds: many })
  await expect(tooMany).rejects.toMatchObject({
    status: 400,
    message: 'assetIds: at most 1000 assets at once',
  })
})

test('the runs that a person asks for at once are not skipped for their rate', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  const flow = await liveFlow(ctx, { ...byHand, runsPerMinute: 1 })
  const observations = ['a', 'b', 'c'].map((name) => ({
    sourceKey: name,
    seenAt: ctx.now(),
    identifiers: [{ type: 'hostname' as const, value: name }],
  }))
  await submit(ctx, { kind: 'csv', name: 'list' }, observations)
  expect(await startFlow(ctx, flow.id, { where: 'has hostname' })).toBe(3)
  await untilIdle(ctx)
  expect((await runsOf(ctx, flow)).map(({ status }) => status)).toEqual([
    'succeeded',
    'succeeded',
    'succeeded',
  ])
})
