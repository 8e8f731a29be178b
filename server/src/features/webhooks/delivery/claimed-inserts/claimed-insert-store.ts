import { sql } from 'kysely'
import type { Ctx, Happening } from '#platform/context.ts'
import type { Claimed } from '../claim-store.ts'
import type { ClaimPromise } from './local-worker.ts'

type Inserted = { readonly waiting: number } & (
  | (Omit<Claimed, 'attempts' | 'interruptions' | 'body'> & { readonly id: number })
  | { readonly id: null }
)

/**
 * Creates the deliveries, those of promised endpoints as claimed. Endpoints with max_in_flight or max_rate are never
 * promised anything: these hold over all workers. Returns how many are left for workers to look for.
 */
export async function addClaimedDeliveries(
  ctx: Ctx,
  happenings: readonly Happening[],
  promise: Pick<ClaimPromise, 'workerId' | 'endpointSeqs' | 'take'>,
): Promise<number> {
  const ids = happenings.map((it) => it.eventId)
  const types = happenings.map((it) => it.type)
  const instants = happenings.map((it) => it.occurredAt)
  const rows = await ctx.db.all(sql<Inserted>`
    with subscribed as materialized (
      select e.id, e.seq, e.url, e.secret_sealed, e.headers_sealed, h.id as event_id, h.type, h.at,
        e.seq = any(${promise.endpointSeqs}::bigint[]) and e.max_in_flight is null and e.max_rate is null as is_claimed
      from unnest(${ids}::uuid[], ${types}::text[], ${instants}::timestamptz[]) as h (id, type, at)
      join webhook_endpoints e on e.tenant_id = ${ctx.tenantId} and e.active and e.deleted_at is null
        and h.type = any(e.event_types)
    ), added as (
      insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq, status, lease_by,
        claim_no)
      select ${ctx.tenantId}::uuid, event_id, at, type, seq, case when is_claimed then 'r' else 'p' end::"char",
        case when is_claimed then ${promise.workerId}::int end,
        case when is_claimed then nextval('webhook_claims') end
      from subscribed
      returning id, claim_no, event_id, endpoint_seq
    )
    select w.waiting, c.*
    from (select count(*) filter (where claim_no is null) as waiting from added) w
    left join (
      select a.id, a.claim_no as "claimNo", a.event_id as "eventId", s.type as "eventType", s.id as "endpointId",
        a.endpoint_seq as "endpointSeq", s.url, s.secret_sealed as "secretSealed",
        s.headers_sealed as "headersSealed"
      from added a join subscribed s on s.seq = a.endpoint_seq and s.event_id = a.event_id
      where a.claim_no is not null
    ) c on true`)
  const bodies = new Map(happenings.map((it) => [it.eventId, it.body]))
  promise.take(
    rows.flatMap((it) =>
      it.id === null ? [] : [{ ...it, attempts: 0, interruptions: 0, body: bodies.get(it.eventId) ?? null }],
    ),
  )
  return rows[0]?.waiting ?? 0
}
