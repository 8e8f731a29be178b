import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEngine } from '#features/webhooks/delivery/engine.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import type { CrashOrders, CrashPoint } from './support/processes/claimed-insert-crash-child.ts'
import { testApp } from './support/app/test-app.ts'
import { receiver } from './support/http/webhook-receiver.ts'

/** How often each point is tried; 200 before a release. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 2)
const ROUND_MS = 60_000

const points: readonly CrashPoint[] = [
  'insert and commit',
  'commit and send',
  'send and outcome',
  'lease end and take-over',
]

test.for(points)(
  'kill -9 between %s of a delivery inserted as claimed: what is committed arrives, and nothing else',
  { timeout: ROUNDS * ROUND_MS },
  async (point) => {
    const secretKey = randomBytes(32).toString('hex')
    const { runtime, where, newTenant } = await testApp({ secretKey })
    const ctx = await newTenant()
    const { url, requests } = await receiver()
    await createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
    const neighbour = startEngine(runtime)
    onTestFinished(() => neighbour.stop())

    for (let round = 0; round < ROUNDS; round++) {
      requests.length = 0
      await runtime.system.db.run(sql`delete from events`)
      await runtime.system.db.run(sql`delete from webhook_delivery_log`)
      await crash({ where, secretKey, tenantId: ctx.tenantId, point })
      await vi.waitFor(
        async () => expect(await runtime.system.db.all(sql`select from webhook_deliveries`)).toEqual([]),
        { timeout: ROUND_MS, interval: 20 },
      )
      const committed = await runtime.system.db.all(sql<{ id: string }>`select id from events order by id`)
      const ids = requests.map((it) => String(it.headers['x-service-event-id']))
      expect([...new Set(ids)].toSorted()).toEqual(committed.map(({ id }) => id))
      const ended = await runtime.system.db.all(
        sql<{
          id: string
        }>`select event_id as id from webhook_delivery_log where status = 'd' order by event_id`,
      )
      expect(ended).toEqual(committed)
    }
  },
)

async function crash(orders: CrashOrders): Promise<void> {
  const script = new URL('support/processes/claimed-insert-crash-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
}
