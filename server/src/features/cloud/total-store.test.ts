import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { gauges } from './gauges.ts'
import * as store from './total-store.ts'

test('readings by their end and throttled calls are counted over all tenants', async () => {
  const { newTenant, runtime } = await testApp()
  const told = async () =>
    Object.fromEntries(
      await Promise.all(gauges.map(async ({ name, count }) => [name, await count(runtime.system)])),
    )
  const none = { complete: 0, partial: 0, failed: 0 }
  expect(await told()).toEqual({ rollcall_cloud_scopes_read: none, rollcall_cloud_calls_throttled: 0 })
  const [one, two] = [await newTenant(), await newTenant()]
  for (const outcome of ['complete', 'complete', 'partial', 'failed'] as const)
    await store.countRead(one, outcome)
  await store.countRead(two, 'complete')
  for (const ctx of [one, two]) await store.countThrottled(ctx)
  expect(await told()).toEqual({
    rollcall_cloud_scopes_read: { complete: 3, partial: 1, failed: 1 },
    rollcall_cloud_calls_throttled: 2,
  })
})
