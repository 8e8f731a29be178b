import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/database.ts'

/** Result of an attempt: `d`elivered, `f`ailed and to be retried, or dead letter (`x`). */
export interface Outcome {
  readonly id: number
  readonly claimNo: number
  readonly state: 'd' | 'f' | 'x'
  /** Whether it is that of the delivery's first attempt. */
  readonly isFirst: boolean
  readonly waitSeconds: number
  readonly ms: number
  readonly phase: string | null
  readonly status: number | null
  readonly fault: string | null
  readonly error: string | null
  readonly excerpt: Buffer | null
}

/**
 * Writes outcomes and attempts, a success at the first attempt in one row. An outcome whose claim number is no longer the
 * delivery's is ignored.
 */
export async function finish(db: Db, outcomes: readonly Outcome[]): Promise<void> {
  const isPlain = outcomes.every((it) => it.isFirst && it.state === 'd')
  await db.run(isPlain ? endFirstSuccesses(outcomes) : endAny(outcomes))
}

const columnsOf =
  (outcomes: readonly Outcome[]) =>
  <K extends keyof Outcome>(key: K) =>
    outcomes.map((it) => it[key])

/** Writes successes at the first attempt, which nearly all outcomes are: as `endAny`, with less to look at. */
function endFirstSuccesses(outcomes: readonly Outcome[]): RawBuilder<unknown> {
  const column = columnsOf(outcomes)
  return sql`
    with ended as (
      delete from webhook_deliveries d
      using unnest(${column('id')}::bigint[], ${column('claimNo')}::bigint[], ${column('ms')}::int[],
        ${column('phase')}::text[], ${column('status')}::smallint[], ${column('excerpt')}::bytea[])
        as o (id, claim_no, ms, phase, http_status, excerpt)
      where d.id = o.id and d.status = 'r' and d.claim_no = o.claim_no
      returning d.*, o.ms, o.phase, o.http_status, o.excerpt
    )
    insert into webhook_delivery_log (id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, status, attempts,
      replay_of, created_at, ms, phase, http_status, excerpt)
    select id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, 'd', 1, replay_of, created_at, ms, phase,
      http_status, excerpt
    from ended`
}

function endAny(outcomes: readonly Outcome[]): RawBuilder<unknown> {
  const column = columnsOf(outcomes)
  return sql`
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
    ), done as (
      select o.state, o.ms, o.phase, o.status, o.fault, o.error, o.excerpt, o.state = 'd' and d.attempts = 0 as is_first,
        d.id, d.tenant_id, d.event_id, d.event_created_at, d.event_type, d.endpoint_seq, d.attempts, d.last_error,
        d.replay_of, d.created_at
      from ended d join o on o.id = d.id
    ), logged as (
      insert into webhook_delivery_log (id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, status,
        attempts, last_error, replay_of, created_at, ms, phase, http_status, excerpt)
      select id, tenant_id, event_id, event_created_at, event_type, endpoint_seq, state, attempts + 1,
        coalesce(error, last_error), replay_of, created_at,
        case when is_first then ms end, case when is_first then phase end, case when is_first then status end,
        case when is_first then excerpt end
      from done
    )
    insert into webhook_attempts (delivery_id, tenant_id, n, started_at, ms, phase, status, fault, excerpt)
    select id, tenant_id, n, now() - make_interval(secs => ms / 1000.0), ms, phase, status, fault, excerpt
    from (
      select d.id, d.tenant_id, d.attempts as n, o.ms, o.phase, o.status, o.fault, o.excerpt
      from failed d join o on o.id = d.id
      union all
      select id, tenant_id, attempts + 1, ms, phase, status, fault, excerpt from done where not is_first
    ) a`
}

/**
 * Releases all claims of a worker that has ended. An interrupted attempt is recorded, but does not count towards the
 * maximum. Returns the number of released claims.
 */
export const releaseAll = (db: Db, workerId: number): Promise<number> =>
  release(db, sql`lease_by = ${workerId}`)

/** All claims before this number were made, though maybe not committed, before now. */
export async function nextClaimNo(db: Db): Promise<number> {
  const { next } = await db.one(sql<{ next: number }>`select nextval('webhook_claims') as next`)
  return next
}

/** Claims that a worker would know by now if it had not lost them: older than a number, at other endpoints than these. */
export interface Settled {
  readonly before: number
  readonly otherThan: readonly number[]
}

/** Releases settled claims of a worker that it does not hold, because an answer of the database was lost. */
export function releaseLost(
  db: Db,
  workerId: number,
  held: readonly number[],
  settled: readonly Settled[],
): Promise<number> {
  const isSettled = settled.map(
    (it) => sql`(claim_no < ${it.before} and endpoint_seq <> all(${it.otherThan}::bigint[]))`,
  )
  return release(
    db,
    sql`lease_by = ${workerId} and id <> all(${held}::bigint[]) and (${sql.join(isSettled, sql` or `)})`,
  )
}

/**
 * Releases claims of workers that are gone for good. A transaction that inserts claims of its process can be committed
 * after that process was declared dead and all its other claims released.
 */
export const releaseOrphans = (db: Db): Promise<number> =>
  release(db, sql`not exists (select from webhook_workers w where w.id = lease_by)`)

const release = (db: Db, isMeant: RawBuilder<unknown>): Promise<number> =>
  db.run(sql`
    with released as (
      update webhook_deliveries
      set status = case when attempts = 0 then 'p' else 'f' end::"char", lease_by = null, claim_no = null,
        interruptions = interruptions + 1, run_at = clock_timestamp()
      where status = 'r' and ${isMeant}
      returning id, tenant_id, attempts
    )
    insert into webhook_attempts (delivery_id, tenant_id, n, started_at, fault)
    select id, tenant_id, attempts + 1, now(), 'interrupted' from released`)

/** Makes claims due whose attempt has not begun. */
export async function putBack(db: Db, claims: readonly Pick<Outcome, 'id' | 'claimNo'>[]): Promise<void> {
  await db.run(sql`
    update webhook_deliveries d
    set status = case when attempts = 0 then 'p' else 'f' end::"char", lease_by = null, claim_no = null,
      run_at = clock_timestamp()
    from unnest(${claims.map((it) => it.id)}::bigint[], ${claims.map((it) => it.claimNo)}::bigint[]) as c (id, claim_no)
    where d.id = c.id and d.status = 'r' and d.claim_no = c.claim_no`)
}

/** Whether a request to a receiver of the tenant is under way. */
export async function hasRequestsUnderWay({ db, tenantId }: Ctx): Promise<boolean> {
  const rows = await db.all(sql<object>`
    select from webhook_deliveries where tenant_id = ${tenantId} and status = 'r' limit 1`)
  return rows.length > 0
}
