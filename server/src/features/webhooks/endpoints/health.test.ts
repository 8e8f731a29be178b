import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { listHealth } from './health.ts'
import { createEndpoint } from '../webhooks.ts'

const endpoint = async (ctx: Ctx, name: string) =>
  (await createEndpoint(ctx, { name, url: 'http://127.0.0.1:9/', events: ['UNLINK'] })).endpoint.id

const happens = (ctx: Ctx, times: number) =>
  atomically(ctx, (inner) =>
    emit(
      inner,
      Array.from({ length: times }, () => ({ type: 'UNLINK' as const, payload: {} })),
    ),
  )

/** As the sender logs it. */
const ended = (
  ctx: Ctx,
  { status, error, hoursAgo }: { status: 'd' | 'x'; error?: string; hoursAgo: number },
) =>
  ctx.db.run(sql`
    with one as (delete from webhook_deliveries where id = (select min(id) from webhook_deliveries) returning *)
    insert into webhook_delivery_log (id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, status,
      attempts, last_error, created_at, finished_at)
    select id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, ${status}::"char", 1, ${error ?? null},
      created_at, now() - make_interval(hours => ${hoursAgo}::int) from one`)

test('each endpoint with what went well, badly and not yet, of the last day', async () => {
  const { newTenant } = await testApp()
  const ctx = await newTenant()
  await endpoint(await newTenant(), 'of others')
  const busy = await endpoint(ctx, 'busy')
  await happens(ctx, 6)
  const idle = await endpoint(ctx, 'idle')
  await ended(ctx, { status: 'd', hoursAgo: 1 })
  await ended(ctx, { status: 'd', hoursAgo: 30 })
  await ended(ctx, { status: 'x', error: 'HTTP 410', hoursAgo: 3 })
  await ended(ctx, { status: 'x', error: 'HTTP 500', hoursAgo: 2 })
  const none = {
    delivered: 0,
    deadLetters: 0,
    retrying: 0,
    waiting: 0,
    lastDeliveredAt: null,
    lastError: null,
  }
  expect(await listHealth(ctx)).toEqual([
    {
      endpointId: busy,
      delivered: 1,
      deadLetters: 2,
      retrying: 0,
      waiting: 2,
      lastDeliveredAt: expect.stringMatching(/Z$/),
      lastError: 'HTTP 500',
    },
    { endpointId: idle, ...none },
  ])
  await ctx.db.run(sql`
    update webhook_deliveries set status = 'f', attempts = 3, last_error = 'timeout'
    where id = (select max(id) from webhook_deliveries)`)
  expect(await listHealth(ctx)).toMatchObject([{ retrying: 1, waiting: 1, lastError: 'timeout' }, none])
})

test('is for those alone who may look at webhooks', async () => {
  const ctx = await (await testApp()).newTenant()
  const actor = { kind: 'user', id: 'u', may: (it: string) => it !== 'webhooks:read' } as const
  await expect(listHealth({ ...ctx, actor })).rejects.toMatchObject({ code: 'forbidden' })
})
