import { expect, test } from 'vitest'
import { setRecords } from '#features/records/records.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { newAsset, startWorker, untilIdle } from './flows.fixture.ts'
import { getBackTest } from './back-test/back-tests.ts'
import { readDefinition } from './definition/read-definition.ts'
import { readyFlows } from './ready-flow-list.ts'
import { createReadyFlow, offeredReadyFlows } from './ready-flows.ts'

const home = sharedTestApp()

test.each(readyFlows.map((it) => [it.id, it] as const))(
  '%s can be published as it is',
  async (_, { definition }) => {
    expect((await readDefinition(home().runtime.system, definition)).steps.length).toBeGreaterThan(0)
  },
)

test('there are thirteen, and one is offered once its facts exist', async () => {
  expect(readyFlows).toHaveLength(13)
  const ctx = await home().newTenant()
  const offered = async () => (await offeredReadyFlows(ctx)).map(({ id }) => id)
  expect(await offered()).not.toContain('warranty-ends')
  const asset = await newAsset(ctx, 'a')
  await setRecords(ctx, { assetIds: [asset], values: { warrantyEnds: '2030-01-01' } })
  expect(await offered()).toContain('warranty-ends')
})

test('a draft of one says what it would have done in the last 30 days', async () => {
  const ctx = await home().newTenant()
  startWorker(home())
  for (const name of ['a', 'b']) await newAsset(ctx, name)
  const { flow, backTest } = await createReadyFlow(ctx, 'unclear-device')
  await untilIdle(ctx)
  expect(flow).toMatchObject({ enabled: false, publishedVersion: null })
  expect(await getBackTest(ctx, backTest.id)).toMatchObject({
    status: 'completed',
    flowId: flow.id,
    result: { runs: 2, assets: 2, summary: 'In the last 30 days: 2 runs, about 2 assets.' },
  })
})
