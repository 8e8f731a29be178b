import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { listReplays, replayEvents } from '#features/webhooks/history/replay.ts'
import { createEndpoint, listDeliveries } from '#features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { listNodes } from '#platform/jobs/cluster-members.ts'
import { testApp } from './support/app/test-app.ts'
import { receiver } from './support/http/webhook-receiver.ts'
import { onDatabase, serve, startWorker, until } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 120_000 }

async function installation() {
  const secretKey = randomBytes(32).toString('hex')
  const home = await testApp({ secretKey })
  const ctx = await home.newTenant()
  const there = await receiver()
  const environment = { ...onDatabase(home.where, secretKey), WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' }
  const { endpoint } = await createEndpoint(ctx, { name: 'x', url: there.url, events: ['NEW_SOURCE'] })
  return { ctx, system: home.runtime.system, there, environment, endpoint }
}

const happen = (ctx: Ctx) =>
  atomically(ctx, (inner) => emit(inner, [{ type: 'NEW_SOURCE', payload: { n: 1 } }]))

test(
  'a worker delivers before it has loaded the features, and loads them for the first job',
  LONG,
  async () => {
    const { ctx, there, environment, endpoint } = await installation()
    await startWorker(environment)
    await happen(ctx)
    // what is under way is not sent again
    const delivered = { status: 'Delivered', limit: 1, offset: 0 } as const
    await until(async () => (await listDeliveries(ctx, delivered)).total === 1)
    await replayEvents(ctx, { endpointId: endpoint.id, since: '2020-01-01T00:00:00.000Z', onlyMissed: false })
    await until(async () => (await listReplays(ctx, endpoint.id))[0]?.finishedAt)
    await until(() => there.requests.length === 2)
    expect(new Set(there.requests.map((it) => it.headers['x-service-event-id'])).size).toBe(1)
  },
)

test('a process for deliveries alone delivers, and leaves jobs to others', LONG, async () => {
  const { ctx, system, there, environment, endpoint } = await installation()
  await startWorker({ ...environment, ROLES: 'deliveries' })
  expect((await listNodes(system)).map((it) => it.roles)).toEqual([['deliveries']])
  await replayEvents(ctx, { endpointId: endpoint.id, since: '2020-01-01T00:00:00.000Z', onlyMissed: false })
  await happen(ctx)
  await until(() => there.requests.length === 1)
  expect((await listReplays(ctx, endpoint.id))[0]?.finishedAt).toBeNull()
})

test(
  'a server starts processes for deliveries, another where one dies, and ends them with itself',
  LONG,
  async () => {
    const { system, environment } = await installation()
    const server = await serve({ ...environment, DELIVERY_PROCESSES: '1' })
    const senders = async () => (await listNodes(system)).filter((it) => it.roles.includes('deliveries'))
    const [first] = await until(async () => {
      const found = await senders()
      return found.length === 1 && found
    })
    process.kill(first?.pid ?? 0, 'SIGKILL')
    const second = await until(async () => (await senders()).find((it) => it.pid !== first?.pid))
    expect(await server.signal('SIGTERM')).toBe(0)
    await until(() => !isAlive(second.pid))
  },
)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
