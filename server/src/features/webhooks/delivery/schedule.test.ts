import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { waitAfter } from './backoff.ts'
import type { Schedule } from './deliver.ts'
import { startEngine } from './engine.ts'
import { createEndpoint } from '../webhooks.ts'

const BASES_SECONDS = [2, 4, 8, 16, 32, 64, 128, 256, 512]
/** Clocks of milliseconds at both ends. */
const ROUNDING_MS = 2

/** A receiver that refuses everything, and the waits that the database was told, in seconds by attempt. */
async function scene(schedule: Schedule, events: number) {
  const { runtime, where, newTenant } = await testApp()
  const ctx = await newTenant()
  const there = await receiver(() => 500)
  await createEndpoint(ctx, { name: 'ops', url: there.url, events: ['NEW_SOURCE'] })
  await noteWaits(where)
  const engine = startEngine(runtime, { schedule })
  onTestFinished(() => engine.stop())
  const payloads = Array.from({ length: events }, (_, n) => ({ type: 'NEW_SOURCE' as const, payload: { n } }))
  await atomically(ctx, (ctx) => emit(ctx, payloads))
  const waits = () =>
    runtime.system.db.all(sql<{ attempt: number; seconds: number }>`select * from noted_waits`)
  return { there, waits }
}

async function noteWaits(where: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(where)
  await client.connect()
  await client.query(`
    create table noted_waits (attempt int, seconds float8);
    grant select, insert on noted_waits to rollcall_system;
    create function note_wait() returns trigger language plpgsql as $$
    begin
      insert into noted_waits values (new.attempts, extract(epoch from new.run_at - now()));
      return null;
    end $$;
    create trigger note_wait after update on webhook_deliveries for each row
      when (old.status = 'r' and new.status = 'f') execute function note_wait();`)
  await client.end()
}

type Requests = Awaited<ReturnType<typeof receiver>>['requests']

/** Milliseconds between the requests of each event, by the number of the attempt before. */
function gaps(requests: Requests): { attempt: number; ms: number }[] {
  const byEvent = Map.groupBy(requests, (it) => it.headers['x-service-event-id'])
  return [...byEvent.values()].flatMap((tries) =>
    tries.slice(1).map((it, n) => ({ attempt: n + 1, ms: it.at - (tries[n]?.at ?? 0) })),
  )
}

/** As the database was told them: how late an attempt begins after its time depends on the machine. */
function expectWaits(noted: readonly { attempt: number; seconds: number }[], scale = 1): void {
  for (const { attempt, seconds } of noted) {
    const base = BASES_SECONDS[attempt - 1] ?? 0
    expect(seconds * scale).toBeGreaterThanOrEqual(base - 0.001)
    expect(seconds * scale).toBeLessThanOrEqual(base * 1.25 + 0.001)
  }
}

function expectNoneEarly(requests: Requests, scale = 1): void {
  for (const { attempt, ms } of gaps(requests))
    expect(ms).toBeGreaterThanOrEqual(((BASES_SECONDS[attempt - 1] ?? 0) * 1_000) / scale - ROUNDING_MS)
}

test('all nine waits are between their base and a quarter more, on a clock that runs 200 times as fast', async () => {
  const scale = 200
  const scaled: Schedule = (attempt, random) => {
    const wait = waitAfter(attempt, random)
    return wait === undefined ? undefined : wait / scale
  }
  const { there, waits } = await scene(scaled, 20)
  await vi.waitFor(() => expect(there.requests).toHaveLength(20 * 10), { timeout: 50_000, interval: 50 })
  const noted = await waits()
  expect(noted).toHaveLength(20 * 9)
  expectWaits(noted, scale)
  expectNoneEarly(there.requests, scale)
})

test('the first four waits in real time', { timeout: 90_000 }, async () => {
  const { there, waits } = await scene(waitAfter, 3)
  await vi.waitFor(() => expect(there.requests).toHaveLength(3 * 5), { timeout: 80_000, interval: 100 })
  expectWaits(await waits())
  expectNoneEarly(there.requests)
})
