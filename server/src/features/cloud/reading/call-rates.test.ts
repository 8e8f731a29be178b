import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { anyConnection } from '../cloud.fixture.ts'
import * as store from './call-rate-store.ts'

const RATE = { start: 5, min: 0.2, max: 20 }

async function scene() {
  const now = new Date()
  const app = await testApp({ now: () => now })
  const ctx = await app.newTenant()
  const bucket = { connectionId: (await anyConnection(ctx)).id, bucket: 'azure/graph', rate: RATE }
  const takeAtOnce = async (count: number) => {
    const waits = await Promise.all(Array.from({ length: count }, () => store.take(ctx, bucket)))
    return waits.map(Math.round).toSorted((a, b) => a - b)
  }
  return { takeAtOnce, slowDown: () => store.slowDown(ctx, bucket) }
}

test('after throttling no two calls of a bucket are made at the same moment, and half as many in the same time', async () => {
  const { takeAtOnce, slowDown } = await scene()
  expect((await takeAtOnce(12)).slice(-2)).toEqual([0, 200])
  await slowDown()
  expect(await takeAtOnce(5)).toEqual([400, 800, 1_200, 1_600, 2_000])
})

test('the rate is never less than the least, and twenty calls that went well raise it', async () => {
  const { takeAtOnce, slowDown } = await scene()
  await takeAtOnce(1)
  for (let times = 0; times < 10; times += 1) await slowDown()
  const waits = await takeAtOnce(22)
  expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBe(5_000)
  expect((waits[21] ?? 0) - (waits[20] ?? 0)).toBeLessThan(1_000)
})
