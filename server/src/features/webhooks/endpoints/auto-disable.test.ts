import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { disableFailing } from './auto-disable.ts'
import * as webhooks from '../webhooks.ts'

interface Past {
  readonly autoDisableDays?: number | null
  readonly activeForDays?: number
  /** Days ago, each. */
  readonly deadLetters?: readonly number[]
  readonly delivered?: readonly number[]
}

const times = (count: number, daysAgo: number) => Array.from({ length: count }, () => daysAgo)

/** An endpoint with a past, which time alone could give it. */
async function endpointWith(ctx: Ctx, system: Ctx, past: Past): Promise<string> {
  const { autoDisableDays = 7, activeForDays = 30, deadLetters = [], delivered = [] } = past
  const { url } = await receiver()
  const { endpoint } = await webhooks.createEndpoint(ctx, {
    name: 'ops',
    url,
    events: ['NEW_SOURCE'],
    autoDisableDays,
  })
  await system.db.run(sql`
    update webhook_endpoints set active_since = now() - make_interval(days => ${activeForDays}) where id = ${endpoint.id}`)
  for (const [status, days] of [
    ['x', deadLetters],
    ['d', delivered],
  ] as const)
    await system.db.run(sql`
      insert into webhook_delivery_log (id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, status,
        attempts, created_at, finished_at)
      select 0, e.tenant_id, gen_random_uuid(), now(), 'NEW_SOURCE', e.seq, ${status}, 10, at, at
      from webhook_endpoints e, unnest(${[...days]}::float8[]) as ago,
        lateral (select now() - make_interval(secs => ago * 86400)) as t (at)
      where e.id = ${endpoint.id}`)
  return endpoint.id
}

test('an endpoint that fails for long enough is disabled, with a trace', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  const id = await endpointWith(ctx, runtime.system, { deadLetters: times(12, 2), delivered: [8] })
  await disableFailing(runtime.system)
  const reason = 'no success in 7 days and 12 dead letters'
  expect(await webhooks.listEndpoints(ctx)).toMatchObject([{ id, active: false, disabledReason: reason }])
  const entries = await ctx.db.all(sql<{ details: unknown }>`
    select details from audit_entries where action = 'webhook.disabled' and subject_id = ${id}`)
  expect(entries).toMatchObject([{ details: { name: 'ops', reason } }])
  await disableFailing(runtime.system)
  expect(await webhooks.updateEndpoint(ctx, id, { active: true })).toMatchObject({
    active: true,
    disabledReason: null,
  })
  await disableFailing(runtime.system)
  expect(await webhooks.listEndpoints(ctx)).toMatchObject([{ active: true }])
})

test.each<[string, Past]>([
  ['whose tenant did not ask for it', { autoDisableDays: null, deadLetters: times(50, 1) }],
  ['with a success in time', { deadLetters: times(50, 1), delivered: [6.9] }],
  ['with few dead letters', { deadLetters: times(9, 1) }],
  ['whose dead letters are old', { deadLetters: times(50, 7.1) }],
  ['that is active for a short time only', { activeForDays: 6, deadLetters: times(50, 1) }],
  ['to which nothing was sent', {}],
])('one %s stays as it is', async (_, past) => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  await endpointWith(ctx, runtime.system, past)
  await disableFailing(runtime.system)
  expect(await webhooks.listEndpoints(ctx)).toMatchObject([{ active: true, disabledReason: null }])
})
