import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { house } from '#test/house.ts'
import { receiver } from '#test/receiver.ts'
import { openLookout } from './lookout.ts'
import { createEndpoint } from './webhooks.ts'

const ADD = sql`insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq)
  select tenant_id, gen_random_uuid(), now(), 'NEW_SOURCE', seq from webhook_endpoints order by seq desc limit 1`

async function scene() {
  const { household, newTenant } = await house()
  const ctx = await newTenant()
  const { url } = await receiver()
  const subscribe = () => createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
  const { db } = household.system
  return { db, subscribe, lookout: openLookout(db) }
}

test('what is committed for an endpoint that was idle is found at the next look that is due', async () => {
  const { db, subscribe, lookout } = await scene()
  await subscribe()
  await db.run(ADD)
  expect(await lookout.look()).toHaveLength(1)
  await subscribe()
  await db.run(ADD)
  for (let found = await lookout.look(); found.length < 2; found = await lookout.look()) {
    const rest = lookout.restMs(found)
    // A look at the busy ones alone has seen less than all: half a second would be too long a rest.
    expect(rest).toBeLessThan(500)
    await new Promise((resolve) => setTimeout(resolve, rest))
  }
})

test('rests until the first is due, half a second at most', async () => {
  const { subscribe, lookout } = await scene()
  await subscribe()
  const nothing = await lookout.look()
  expect(lookout.restMs(nothing)).toBe(500)
  expect(lookout.restMs(nothing.map((it) => ({ ...it, dueInMs: 41.5 })))).toBe(42)
  expect(lookout.restMs(nothing.map((it) => ({ ...it, dueInMs: 60_000 })))).toBe(500)
})
