import { expect, onTestFinished, test, vi } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { startEngine } from './engine.ts'
import * as webhooks from '../webhooks.ts'

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

/** A receiver that has taken a delivery, keeps its connection, and drops it under the next request. */
async function withDroppingReceiver() {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  const served = new WeakSet<object>()
  const there = await receiver(() => (response) => {
    const { socket } = response
    if (!socket || served.has(socket)) return void socket?.destroy()
    served.add(socket)
    response.writeHead(204).end()
  })
  const settings = { name: 'ops', url: there.url, events: ['NEW_SOURCE'] } as const
  const { endpoint } = await webhooks.createEndpoint(ctx, settings)
  const { database, system, contextFor } = runtime
  const engine = startEngine({ database, system, contextFor })
  onTestFinished(() => engine.stop())
  const emitOne = () =>
    atomically(ctx, (ctx) => emit(ctx, [{ type: 'NEW_SOURCE', payload: { name: 'a source' } }]))
  const records = async () =>
    (await webhooks.listDeliveries(ctx, { endpointId: endpoint.id, limit: 10, offset: 0 })).items
  await emitOne()
  await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered', attempts: 1 }]))
  return { ctx, there, endpoint, emitOne, records }
}

test('a dropped connection is a failed attempt, and the next is made when it is due', async () => {
  const { there, emitOne, records } = await withDroppingReceiver()
  await emitOne()
  await until(async () => expect(await records()).toMatchObject([{ status: 'Failed' }, {}]))
  const lastError = 'the connection closed before an answer came'
  expect(await records()).toMatchObject([{ attempts: 1, lastError }, { attempts: 1 }])
  expect(there.requests).toHaveLength(2)
  await until(async () => expect(await records()).toMatchObject([{ status: 'Delivered', attempts: 2 }, {}]))
  const [failed, retried] = there.requests
    .slice(1)
    .map(({ at, headers }) => ({ at, id: headers['x-service-event-id'] }))
  expect(retried?.id).toBe(failed?.id)
  expect((retried?.at ?? 0) - (failed?.at ?? 0)).toBeGreaterThanOrEqual(1_990)
})

test('a test delivery has a connection of its own', async () => {
  const { ctx, there, endpoint } = await withDroppingReceiver()
  expect(await webhooks.testEndpoint(ctx, endpoint.id)).toMatchObject({ success: true })
  expect(there.requests).toHaveLength(2)
})
