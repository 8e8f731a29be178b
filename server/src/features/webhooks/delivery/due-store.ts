import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** The next due delivery of an active endpoint. */
export interface EndpointDue {
  readonly endpointSeq: number
  readonly tenantId: string
  /**
   * Milliseconds until its first delivery is due, by the database's clock; 0 or less: due now, null: none pending.
   */
  readonly dueInMs: number | null
  /** Lower bound of `run_at` for the next query. */
  readonly since: string | null
  /** Pass to the next query, to compute its `since`. */
  readonly horizon: string
  /** The endpoint has max_in_flight or max_rate. */
  readonly isLimited: boolean
  /** Whether it answered quickly, as last saved by a worker; null: not known. */
  readonly isQuick: boolean | null
}

export interface KnownEndpoint {
  readonly endpointSeq: number
  readonly since: string | null
}

/** Which endpoints to query: the known ones and all of some tenants, or all. */
export interface DueScope {
  readonly known: readonly KnownEndpoint[]
  readonly tenantIds: readonly string[]
  /** Endpoints of these tenants that are left out. */
  readonly except: readonly number[]
  readonly isWide: boolean
}

/**
 * The first pending delivery of each active endpoint in the scope: one index probe each, however many are pending.
 * `horizon` is that of the previous query.
 */
export function findDue(
  db: Db,
  { known, tenantIds, except, isWide }: DueScope,
  horizon: string | null,
): Promise<EndpointDue[]> {
  const seqs = known.map((it) => it.endpointSeq)
  const since = known.map((it) => it.since)
  const inScope = isWide
    ? sql`true`
    : sql`(e.seq = any(${seqs}::bigint[]) or (e.tenant_id = any(${tenantIds}::uuid[]) and e.seq <> all(${except}::bigint[])))`
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
    where e.active and e.deleted_at is null and e.tenant_id not in (select m.id from tenant_moves m) and ${inScope}`)
}

/**
 * Parks pending deliveries of disabled endpoints (run_at = infinity) and deletes those of deleted endpoints. Uses a
 * loose index scan: one probe for each endpoint with deliveries. Endpoints that are locked by a change are skipped
 * until the next call, because waiting for that change would stop all deliveries.
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

/** Saves which endpoints answer quickly, for other workers and after a restart. */
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
  /** Age of the oldest due delivery that is not claimed, at active endpoints. */
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
