import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEngine } from '#features/webhooks/delivery/engine.ts'
import { createEndpoint } from '#features/webhooks/webhooks.ts'
import type { CrashOrders, CrashPoint } from './support/processes/claimed-insert-crash-child.ts'
import { testApp } from './support/app/test-app.ts'
import { receiver } from './support/http/webhook-receiver.ts'

/** How often each point is tried; 200 before a release. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 2)
/** Of one point at a time, each on a database of its own: most of a round is waiting until a neighbour takes over. */
const LANES = Math.min(ROUNDS, 6)
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
  async (point, { annotate }) => {
    const cache = await mkdtemp(join(tmpdir(), 'rollcall-crash-'))
    onTestFinished(() => rm(cache, { recursive: true, force: true }))
    const tried = { rounds: 0, committed: 0, arrived: 0 }
    const lane = async (): Promise<void> => {
      const nextRound = await openLane(point, cache)
      while (tried.rounds < ROUNDS) {
        tried.rounds += 1
        const { committed, arrived } = await nextRound()
        tried.committed += committed
        tried.arrived += arrived
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(tried.rounds).toBe(ROUNDS)
    await annotate(
      `${tried.rounds} kills; ${tried.committed} events committed, ${tried.arrived} requests arrived`,
    )
  },
)

interface Round {
  readonly committed: number
  /** With those that came twice. */
  readonly arrived: number
}

/** Counted, because the neighbour shares this process: listing thousands again and again would hold it up. */
const notEnded = sql`
  select status, lease_by as worker, count(*) as deliveries, max(attempts) as attempts, max(run_at) as due
  from webhook_deliveries group by 1, 2`

/** One round after the other, with a neighbour that stays alive. */
async function openLane(point: CrashPoint, cache: string): Promise<() => Promise<Round>> {
  const secretKey = randomBytes(32).toString('hex')
  const { runtime, where, newTenant } = await testApp({ secretKey })
  const { db } = runtime.system
  const ctx = await newTenant()
  const { url, requests } = await receiver()
  await createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
  const neighbour = startEngine(runtime)
  onTestFinished(() => neighbour.stop())

  return async () => {
    requests.length = 0
    await db.run(sql`delete from events`)
    await db.run(sql`delete from webhook_delivery_log`)
    await crash({ where, secretKey, tenantId: ctx.tenantId, point }, cache).catch(async (cause: unknown) => {
      throw new Error(`no kill while there is ${JSON.stringify(await db.all(notEnded))}`, { cause })
    })
    await vi.waitFor(async () => expect(await db.all(notEnded)).toEqual([]), {
      timeout: ROUND_MS,
      interval: 20,
    })
    const committed = await db.all(sql<{ id: string }>`select id from events order by id`)
    const ids = requests.map((it) => String(it.headers['x-service-event-id']))
    expect([...new Set(ids)].toSorted()).toEqual(committed.map(({ id }) => id))
    const ended = await db.all(
      sql<{
        id: string
      }>`select event_id as id from webhook_delivery_log where status = 'd' order by event_id`,
    )
    expect(ended).toEqual(committed)
    return { committed: committed.length, arrived: ids.length }
  }
}

/** Starts a process that dies at its point; what it compiles is kept in the folder for the next. */
async function crash(orders: CrashOrders, cache: string): Promise<void> {
  const script = new URL('support/processes/claimed-insert-crash-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, JSON.stringify(orders)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [, signal] = (await once(child, 'exit', {
    signal: AbortSignal.timeout(ROUND_MS),
  })) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
}
