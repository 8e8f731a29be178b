import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import type { Db } from '#platform/database/database.ts'
import { killChild, startChild } from './support/processes/child.ts'
import type { Orders } from './support/processes/delivery-crash-child.ts'
import { testApp } from './support/app/test-app.ts'
import { receiver, type Received } from './support/http/webhook-receiver.ts'

const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 40_000, interval: 1 })

async function rowsOf(db: Db, condition: ReturnType<typeof sql>): Promise<number> {
  return (
    await db.one(sql<{ count: number }>`select count(*) as count from webhook_deliveries where ${condition}`)
  ).count
}

/** Moments between two steps, each as something that can be seen from outside. */
const moments: Record<string, (scene: { db: Db; requests: Received[] }) => Promise<unknown>> = {
  'within the transaction of a change': ({ db }) =>
    until(async () =>
      expect(
        await db.all(sql`
          select 1 from pg_locks where mode = 'RowExclusiveLock' and relation = 'events'::regclass
            and database = (select oid from pg_database where datname = current_database())`),
      ).not.toHaveLength(0),
    ),
  'with deliveries written and none claimed': ({ db }) =>
    until(async () => expect(await rowsOf(db, sql`status = 'p'`)).toBeGreaterThan(0)),
  'with a delivery claimed': ({ db }) =>
    until(async () => expect(await rowsOf(db, sql`status = 'r'`)).toBeGreaterThan(0)),
  'with a request received and its outcome not written': async ({ requests }) => {
    const seen = requests.length
    await until(() => Promise.resolve(expect(requests.length).toBeGreaterThan(seen)))
  },
  'with a failure written': ({ db }) =>
    until(async () => expect(await rowsOf(db, sql`status = 'f'`)).toBeGreaterThan(0)),
  'with a second attempt claimed': ({ db }) =>
    until(async () => expect(await rowsOf(db, sql`status = 'r' and attempts > 0`)).toBeGreaterThan(0)),
  'at any moment': () => sleep(200 + Math.random() * 600),
}

test(
  'kill -9 between any two steps from a change to its delivery loses nothing',
  { timeout: 240_000 },
  async () => {
    const secretKey = randomBytes(32).toString('hex')
    const { runtime, where, newTenant } = await testApp({ secretKey })
    const ctx = await newTenant()
    const { db } = runtime.system
    const failsOnce = new Set<unknown>()
    const { url, requests } = await receiver(async ({ headers }) => {
      await sleep(Math.random() * 20)
      const id = headers['x-service-event-id']
      if (failsOnce.has(id)) return 200
      failsOnce.add(id)
      return failsOnce.size % 3 === 0 ? 503 : 200
    })
    await createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE', 'SCAN_COMPLETED'] })
    const orders: Orders = { where, secretKey, tenantId: ctx.tenantId, changes: 10_000, waitSeconds: 0.2 }

    for (const [title, moment] of Object.entries({ ...moments, ...repeated('at any moment', 4) })) {
      const child = start(orders)
      await moment({ db, requests }).catch((error: unknown) => {
        throw new Error(`never came: ${title}`, { cause: error })
      })
      await killChild(child)
    }
    start({ ...orders, changes: 0 })

    await until(async () => expect(await rowsOf(db, sql`true`)).toBe(0))
    const { changes, events } = await db.one(sql<{ changes: number; events: number }>`
    select (select count(*) from audit_entries where action = 'thing.made') as changes,
      (select count(*) from events) as events`)
    expect(changes).toBeGreaterThan(0)
    expect(events).toBe(2 * changes)
    const ids = await db.all(sql<{ id: string }>`select id from events`)
    const received = new Set(requests.map((it) => it.headers['x-service-event-id']))
    expect(ids.filter(({ id }) => !received.has(id))).toEqual([])
    const log = await db.all(sql<{ status: string; attempts: number }>`
    select distinct status, max(attempts) as attempts from webhook_delivery_log group by status`)
    expect(log).toEqual([{ status: 'd', attempts: expect.any(Number) }])
    expect(log[0]?.attempts).toBeLessThanOrEqual(10)
    const { ended } = await db.one(sql<{ ended: number }>`select count(*) as ended from webhook_delivery_log`)
    expect(ended).toBe(events)
    expect(mostRequestsForOne(requests)).toBeLessThanOrEqual(10)
  },
)

function repeated(title: string, times: number) {
  const moment = moments[title] ?? (() => Promise.resolve())
  return Object.fromEntries(Array.from({ length: times }, (_, i) => [`${title}, again (${i + 1})`, moment]))
}

const start = (orders: Orders): ChildProcess => startChild('delivery-crash-child.ts', orders)

function mostRequestsForOne(requests: readonly Received[]): number {
  const counts = new Map<unknown, number>()
  for (const { headers } of requests) {
    const id = headers['x-service-event-id']
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return Math.max(...counts.values())
}
