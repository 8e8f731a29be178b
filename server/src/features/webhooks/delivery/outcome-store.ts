import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** Result of an attempt: `d`elivered, `f`ailed and to be retried, or dead letter (`x`). */
export interface Outcome {
  readonly id: number
  readonly claimNo: number
  readonly state: 'd' | 'f' | 'x'
  readonly waitSeconds: number
  readonly ms: number
  readonly phase: string | null
  readonly status: number | null
  readonly fault: string | null
  readonly error: string | null
  readonly excerpt: Buffer | null
}

/** Writes outcomes and attempts. An outcome whose claim number is no longer the delivery's is ignored. */
export async function finish(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const column = <K extends keyof Outcome>(key: K) => outcomes.map((it) => it[key])
  await db.run(sql`
    with o as (
      select id, claim_no, state::"char", wait, ms, phase, status, fault, error, excerpt
      from unnest(${column('id')}::bigint[], ${column('claimNo')}::bigint[], ${column('state')}::text[],
        ${column('waitSeconds')}::float8[], ${column('ms')}::int[], ${column('phase')}::text[],
        ${column('status')}::smallint[], ${column('fault')}::text[], ${column('error')}::text[], ${column('excerpt')}::bytea[])
        as o (id, claim_no, state, wait, ms, phase, status, fault, error, excerpt)
    ), failed as (
      update webhook_deliveries d
      set status = 'f', attempts = d.attempts + 1, interruptions = 0, run_at = now() + make_interval(secs => o.wait),
        lease_by = null, claim_no = null, last_error = o.error
      from o where o.state = 'f' and d.id = o.id and d.status = 'r' and d.claim_no = o.claim_no
      returning d.id, d.tenant_id, d.attempts
    ), ended as (
      delete from webhook_deliveries d
      using o where o.state <> 'f' and d.id = o.id and d.status = 'r' and d.claim_no = o.claim_no
      returning d.*
    ), logged as (
      insert into webhook_delivery_log (id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, status,
        attempts, last_error, replay_of, created_at)
      select d.id, d.tenant_id, d.event_id, d.event_created_at, d.event_type, d.endpoint_seq, o.state,
        d.attempts + 1, coalesce(o.error, d.last_error), d.replay_of, d.created_at
      from ended d join o on o.id = d.id
    )
    insert into webhook_attempts (delivery_id, tenant_id, n, started_at, ms, phase, status, fault, excerpt)
    select d.id, d.tenant_id, d.attempts, now() - make_interval(secs => o.ms / 1000.0), o.ms, o.phase, o.status,
      o.fault, o.excerpt
    from (select id, tenant_id, attempts from failed union all select id, tenant_id, attempts + 1 from ended) d
    join o on o.id = d.id`)
}

/**
 * Releases the claims of a worker, except the ids in `held`. An interrupted attempt is recorded, but does not count
 * towards the maximum. Returns the number of released claims.
 */
export async function release(db: Db, workerId: number, held: readonly number[]): Promise<number> {
  return db.run(sql`
    with released as (
      update webhook_deliveries
      set status = case when attempts = 0 then 'p' else 'f' end::"char", lease_by = null, claim_no = null,
        interruptions = interruptions + 1, run_at = clock_timestamp()
      where status = 'r' and lease_by = ${workerId} and id <> all(${held}::bigint[])
      returning id, tenant_id, attempts
    )
    insert into webhook_attempts (delivery_id, tenant_id, n, started_at, fault)
    select id, tenant_id, attempts + 1, now(), 'interrupted' from released`)
}
