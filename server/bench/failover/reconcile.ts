import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { isEmpty } from '../chaos/reconciliation.ts'
import type { Arrivals } from '../webhooks/webhook-receiver.ts'
import type { Written } from './writes.ts'

export interface Reconciled {
  readonly lostRequests: number
  readonly lostEvents: number
  /** Distinct events that arrived. */
  readonly delivered: number
  /** Arrivals beyond the first of an event. */
  readonly duplicates: number
}

const POLL_MS = 200
const END_TIMEOUT_MS = 120_000

/** Waits until every delivery has ended, then looks for what was acknowledged. */
export async function reconcile(
  ctx: Ctx,
  { createdIds, eventIds }: Written,
  arrivals: () => Promise<Arrivals>,
): Promise<Reconciled> {
  const deadline = performance.now() + END_TIMEOUT_MS
  while (!(await isEmpty(ctx))) {
    if (performance.now() > deadline) throw new Error('deliveries never came to an end')
    await sleep(POLL_MS)
  }
  const { timed } = await arrivals()
  const arrived = new Set(timed.map(([id]) => id))
  const stored = await ctx.db.all(sql<{ id: string }>`
    select id from partners where tenant_id = ${ctx.tenantId} and id = any(${createdIds}::uuid[])`)
  return {
    lostRequests: createdIds.length - stored.length,
    lostEvents: eventIds.filter((id) => !arrived.has(id)).length,
    delivered: arrived.size,
    duplicates: timed.length - arrived.size,
  }
}
