import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** What was found at one endpoint that may receive. */
export interface EndpointDue {
  readonly endpointSeq: number
  readonly tenantId: string
  /** Until its first delivery may begin, by the database's clock; 0 or less is now, null: nothing waits. */
  readonly dueInMs: number | null
  /** From where the next look need look. */
  readonly since: string | null
  /** Allows for the `since` of the next look. */
  readonly horizon: string
  /** It has a max_in_flight or a max_rate. */
  readonly isLimited: boolean
  /** As some worker last saw it; null: nobody knows. */
  readonly isQuick: boolean | null
}

export interface KnownEndpoint {
  readonly endpointSeq: number
  readonly since: string | null
}

/** Which endpoints are looked at: those known, and all of some tenants; or every one. */
export interface DueScope {
  readonly known: readonly KnownEndpoint[]
  readonly tenantIds: readonly string[]
  readonly isWide: boolean
}

/**
 * The first delivery that waits at each endpoint of the scope that may receive: one probe of the index each, however
 * many wait. `horizon` is that of the look before.
 */
export function findDue(
  db: Db,
  { known, tenantIds, isWide }: DueScope,
  horizon: string | null,
): Promise<EndpointDue[]> {
  const seqs = known.map((it) => it.endpointSeq)
  const since = known.map((it) => it.since)
  const inScope = isWide
    ? sql`true`
    : sql`(e.seq = any(${seqs}::bigint[]) or e.tenant_id = any(${tenantIds}::uuid[]))`
  return db.all(sql<EndpointDue>`
    with horizon as materialized (select webhook_horizon() as at)
    select e.seq as "endpointSeq", e.tenant_id as "tenantId", p.is_quick as "isQuick", horizon.at as horizon,
      e.max_in_flight is not null or e.max_rate is not null as "isLimited",
      case when ${horizon}::timestamptz is not null then least(first.run_at, ${horizon}) end as since,
      case when first.run_at is not null then
        (extract(epoch from greatest(first.run_at, p.given_until + make_interval(secs => 1 / e.max_rate))
          - clock_timestamp()) * 1000)::float8
      end as "dueInMs"
    from horizon
    cross join webhook_endpoints e
    left join unnest(${seqs}::bigint[], ${since}::timestamptz[]) as known (seq, since) on known.seq = e.seq
    left join webhook_pulses p on p.endpoint_seq = e.seq
    left join lateral (
      select run_at from webhook_deliveries
      where endpoint_seq = e.seq and status in ('p', 'f') and run_at >= coalesce(known.since, '-infinity')
        and run_at < 'infinity'
      order by run_at limit 1
    ) first on true
    where e.active and e.deleted_at is null and ${inScope}`)
}

/**
 * For endpoints that are not live: what waits for a disabled one is set aside, what waits for a deleted one goes. It
 * hops through the index, so it costs one probe for each endpoint that has something. An endpoint that is being changed
 * is left to the next call, since waiting for that change would stop every delivery; a change waits for this.
 */
export async function parkInactiveDeliveries(db: Db): Promise<void> {
  await db.run(sql`
    with recursive busy (seq) as (
      select min(endpoint_seq) from webhook_deliveries where status in ('p', 'f')
      union all
      select (select min(endpoint_seq) from webhook_deliveries
              where status in ('p', 'f') and endpoint_seq > busy.seq)
      from busy where busy.seq is not null
    ), idle as (
      select seq, deleted_at is not null as is_deleted from webhook_endpoints
      where seq in (select seq from busy) and (not active or deleted_at is not null)
      for share skip locked
    ), gone as (
      delete from webhook_deliveries d using idle
      where idle.is_deleted and d.endpoint_seq = idle.seq and d.status in ('p', 'f')
    )
    update webhook_deliveries d set run_at = 'infinity' from idle
    where not idle.is_deleted and d.endpoint_seq = idle.seq and d.status in ('p', 'f') and d.run_at < 'infinity'`)
}

/** Notes for other workers, and for this one after a restart, which endpoints answer quickly. */
export async function saveResponsiveness(db: Db, isQuickBySeq: ReadonlyMap<number, boolean>): Promise<void> {
  await db.run(sql`
    insert into webhook_pulses (endpoint_seq, tenant_id, is_quick)
    select e.seq, e.tenant_id, n.is_quick
    from unnest(${[...isQuickBySeq.keys()]}::bigint[], ${[...isQuickBySeq.values()]}::boolean[]) as n (seq, is_quick)
    join webhook_endpoints e on e.seq = n.seq
    order by e.seq
    on conflict (endpoint_seq) do update set is_quick = excluded.is_quick`)
}

export interface Backlog {
  readonly pending: number
  readonly processing: number
  readonly failed: number
  /** How long the oldest delivery has been due that nobody has claimed, at endpoints that may receive. */
  readonly lagSeconds: number
  readonly workers: number
}

export function backlog(db: Db): Promise<Backlog> {
  return db.one(sql<Backlog>`
    select count(*) filter (where status = 'p') as pending, count(*) filter (where status = 'r') as processing,
      count(*) filter (where status = 'f') as failed,
      coalesce(extract(epoch from max(clock_timestamp() - run_at)
        filter (where status <> 'r' and run_at <= clock_timestamp())), 0)::float8 as "lagSeconds",
      (select count(*) from webhook_workers) as workers
    from webhook_deliveries`)
}
