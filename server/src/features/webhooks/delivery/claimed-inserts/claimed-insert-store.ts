import { sql } from 'kysely'
import { transactionInstant } from '#platform/database/sql.ts'
import type { Ctx, NewHappening } from '#platform/context.ts'
import type { ClaimPromise, InsertedClaim, Receiver } from './local-worker.ts'

type Row = { readonly waiting: number[] | null } & (
  | (Omit<InsertedClaim, 'attempts' | 'interruptions' | 'body'> & { readonly id: number })
  | { readonly id: null }
)

/**
 * Creates the deliveries, those of promised endpoints as claimed. Endpoints with max_in_flight or max_rate are never
 * promised anything: these hold over all workers. Returns whether workers have to be told to look for the others.
 */
export async function addClaimedDeliveries(
  ctx: Ctx,
  happenings: readonly NewHappening[],
  promise: Pick<ClaimPromise, 'workerId' | 'endpointSeqs' | 'take' | 'found'>,
): Promise<boolean> {
  const rows = await insert(ctx, happenings, promise)
  const events = new Map(happenings.map((it) => [it.eventId, it]))
  const claims = rows.flatMap((it) =>
    it.id === null
      ? []
      : [{ ...it, attempts: 0, interruptions: 0, body: events.get(it.eventId)?.body ?? null }],
  )
  if (claims.length > 0) ctx.db.askAtCommit?.(receivers(ctx, claims), promise.found)
  return promise.take({ claims, waiting: rows[0]?.waiting ?? [] })
}

function insert(
  ctx: Ctx,
  happenings: readonly NewHappening[],
  { workerId, endpointSeqs }: Pick<ClaimPromise, 'workerId' | 'endpointSeqs'>,
): Promise<Row[]> {
  const ids = happenings.map((it) => it.eventId)
  const types = happenings.map((it) => it.type)
  return ctx.db.all(sql<Row>`
    with subscribed as materialized (
      select e.seq, h.id as event_id, h.type,
        e.seq = any(${endpointSeqs}::bigint[]) and e.max_in_flight is null and e.max_rate is null
          and not exists (select from tenant_moves m where m.id = ${ctx.tenantId}) as is_claimed
      from unnest(${ids}::uuid[], ${types}::text[]) as h (id, type)
      join webhook_endpoints e on e.tenant_id = ${ctx.tenantId} and e.active and e.deleted_at is null
        and h.type = any(e.event_types)
    ), added as (
      insert into webhook_deliveries (tenant_id, event_id, event_created_at, event_type, endpoint_seq, status, lease_by,
        claim_no)
      select ${ctx.tenantId}::uuid, event_id, ${transactionInstant}, type, seq, case when is_claimed then 'r' else 'p' end::"char",
        case when is_claimed then ${workerId}::int end,
        case when is_claimed then nextval('webhook_claims') end
      from subscribed
      returning id, claim_no, event_id, event_type, endpoint_seq
    )
    select w.waiting, c.*
    from (select array_agg(distinct endpoint_seq) filter (where claim_no is null) as waiting from added) w
    left join (
      select id, claim_no as "claimNo", event_id as "eventId", event_type as "eventType", endpoint_seq as "endpointSeq"
      from added where claim_no is not null
    ) c on true`)
}

/** Which of the endpoints are still active. */
function receivers(ctx: Ctx, claims: readonly InsertedClaim[]) {
  const seqs = [...new Set(claims.map((it) => it.endpointSeq))]
  return sql<Receiver>`
    select id as "endpointId", seq as "endpointSeq", url, secret_sealed as "secretSealed",
      headers_sealed as "headersSealed"
    from webhook_endpoints
    where tenant_id = ${ctx.tenantId} and seq = any(${seqs}::bigint[]) and active and deleted_at is null`
}
