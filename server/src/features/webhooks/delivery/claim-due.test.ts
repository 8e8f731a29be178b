import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app/test-app.ts'
import { receiver } from '#test/support/http/webhook-receiver.ts'
import { createEndpoint } from '../webhooks.ts'
import { claimDue } from './claim-due.ts'
import type { Due } from './due-poller.ts'

test('an endpoint is looked at again where a claim found less than it wanted, or after a while', async () => {
  const { runtime, newTenant } = await testApp()
  const ctx = await newTenant()
  const { url } = await receiver()
  await createEndpoint(ctx, { name: 'ops', url, events: ['NEW_SOURCE'] })
  const { db } = runtime.system
  const { seq } = await db.one(
    sql<{ seq: number }>`select seq from webhook_endpoints where tenant_id = ${ctx.tenantId}`,
  )
  await db.run(sql`
    insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq)
    select ${ctx.tenantId}::uuid, gen_random_uuid(), now(), 'NEW_SOURCE', ${seq} from generate_series(1, 5)`)
  const claimTwo = async (its: Partial<Due> = {}) => {
    const due: Due = {
      endpointSeq: seq,
      tenantId: ctx.tenantId,
      since: null,
      isLimited: false,
      isQuick: null,
      overdueMs: 0,
      isStale: false,
      isUnseen: false,
      ...its,
    }
    const fairSlots = { grant: () => [{ endpointSeq: seq, room: 2 }] }
    const { claimed, endpointSeqs } = await claimDue(db, fairSlots, { workerId: 1, atMost: 10 }, [due])
    return { count: claimed.length, isLookedAt: endpointSeqs.includes(seq) }
  }
  expect(await claimTwo()).toEqual({ count: 2, isLookedAt: false })
  expect(await claimTwo({ isStale: true })).toEqual({ count: 2, isLookedAt: true })
  expect(await claimTwo()).toEqual({ count: 1, isLookedAt: true })
  expect(await claimTwo({ isUnseen: true })).toEqual({ count: 0, isLookedAt: false })
})
