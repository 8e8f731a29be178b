import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { startEngine } from './engine.ts'
import { createEndpoint } from '../webhooks.ts'

const NODES = 3

/** Three nodes with one endpoint of which `limits` is true. */
async function scene(limits: ReturnType<typeof sql>) {
  const secretKey = 'ab'.repeat(32)
  const first = await testApp({ secretKey })
  const ctx = await first.newTenant()
  let [underWay, underWayMax] = [0, 0]
  const there = await receiver(async () => {
    underWay += 1
    underWayMax = Math.max(underWayMax, underWay)
    await new Promise((resolve) => setTimeout(resolve, 5))
    underWay -= 1
    return 200
  })
  await createEndpoint(ctx, { name: 'frail', url: there.url, events: ['NEW_SOURCE'] })
  await first.runtime.system.db.run(sql`update webhook_endpoints set ${limits}`)
  for (let n = 0; n < NODES; n++) {
    const { runtime } = n === 0 ? first : await testApp({ secretKey, where: first.where })
    const engine = startEngine(runtime)
    onTestFinished(() => engine.stop())
  }
  const arrived = (count: number) =>
    vi.waitFor(() => expect(there.requests).toHaveLength(count), { timeout: 40_000, interval: 20 })
  return { ctx, there, arrived, underWayMax: () => underWayMax }
}

const emitOne = (ctx: Ctx, n: number) =>
  atomically(ctx, (ctx) => emit(ctx, [{ type: 'NEW_SOURCE', payload: { n } }]))

test('max_in_flight 1 sends one at a time, in order, however many nodes there are', async () => {
  const { ctx, there, arrived, underWayMax } = await scene(sql`max_in_flight = 1`)
  for (let n = 0; n < 60; n++) await emitOne(ctx, n)
  await arrived(60)
  expect(underWayMax()).toBe(1)
  const order = there.requests.map(({ body }) => (JSON.parse(String(body)) as { n: number }).n)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

test('max_in_flight holds for a burst over several nodes', async () => {
  const { ctx, arrived, underWayMax } = await scene(sql`max_in_flight = 3`)
  await Promise.all(Array.from({ length: 90 }, (_, n) => emitOne(ctx, n)))
  await arrived(90)
  expect(underWayMax()).toBeLessThanOrEqual(3)
})

test('max_rate holds in every second, over several nodes', async () => {
  const rate = 20
  const { ctx, there, arrived } = await scene(sql`max_rate = ${rate}`)
  await Promise.all(Array.from({ length: 80 }, (_, n) => emitOne(ctx, n)))
  await arrived(80)
  const times = there.requests.map((it) => it.at)
  const mostInASecond = Math.max(
    ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length),
  )
  // A tenth of a second's may come together, and requests that began in turn may arrive closer.
  expect(mostInASecond).toBeLessThanOrEqual(rate * 1.2)
})
