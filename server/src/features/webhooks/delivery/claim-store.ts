import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'

/** A claimed delivery, with the current URL and secret of its endpoint. */
export interface Claimed {
  readonly id: number
  readonly claimNo: number
  /** How many attempts have ended. */
  readonly attempts: number
  /** How often this attempt was begun and interrupted. */
  readonly interruptions: number
  readonly eventId: string
  readonly eventType: string
  /** Null when the event is older than the retention. */
  readonly body: Buffer | null
  readonly endpointId: string
  readonly endpointSeq: number
  readonly url: string
  readonly secretSealed: Buffer
  /** The tenant's own headers; null when there are none. */
  readonly headersSealed: Buffer | null
  /** Whether other deliveries wait for its outcome: its endpoint has max_in_flight or max_rate. */
  readonly isLimited?: boolean
}

/** How many deliveries of an endpoint may be claimed, and from which `run_at` on. */
export interface Quota {
  readonly endpointSeq: number
  readonly room: number
  readonly since: string | null
}

export interface ClaimFor {
  readonly workerId: number
  /** How many are claimed at most, over all endpoints. */
  readonly atMost: number
}

/**
 * Sets due deliveries to Processing with a new claim number, endpoints in the given order. Rows are written by their
 * place, which nobody changes while they are locked; one that was written after the statement began stays due. Does not
 * wait for the disk: a claim that a crash of the database takes back is one that never was, and its delivery is due.
 */
export function claim(db: Db, { workerId, atMost }: ClaimFor, quotas: readonly Quota[]): Promise<Claimed[]> {
  const seqs = quotas.map((it) => it.endpointSeq)
  const grants = quotas.map((it) => it.room)
  const since = quotas.map((it) => it.since)
  return (db.withoutDisk ?? db).all(sql<Claimed>`
    with chosen as materialized (
      select due.place
      from (select * from unnest(${seqs}::bigint[], ${grants}::int[], ${since}::timestamptz[]) with ordinality
              as q (seq, room, since, at) order by at) q
      cross join lateral (
        select ctid as place from webhook_deliveries
        where endpoint_seq = q.seq and status in ('p', 'f') and run_at <= now()
          and run_at >= coalesce(q.since, '-infinity')
        order by run_at limit q.room for update skip locked
      ) due
      limit ${atMost}
    ), claimed as (
      update webhook_deliveries d
      set status = 'r', lease_by = ${workerId}, claim_no = nextval('webhook_claims')
      from chosen, webhook_endpoints e
      where d.ctid = chosen.place and e.seq = d.endpoint_seq and e.active and e.deleted_at is null
        and e.tenant_id not in (select m.id from tenant_moves m)
      returning d.*, e.id as endpoint_id, e.url, e.secret_sealed, e.headers_sealed
    )
    select c.id, c.claim_no as "claimNo", c.attempts, c.interruptions, c.event_id as "eventId",
      c.event_type as "eventType", v.body, c.endpoint_id as "endpointId", c.endpoint_seq as "endpointSeq", c.url,
      c.secret_sealed as "secretSealed", c.headers_sealed as "headersSealed"
    from claimed c
    left join lateral (
      select body from events where created_at = c.event_created_at and id = c.event_id offset 0
    ) v on true`)
}

/**
 * As `claim`, for endpoints with max_in_flight or max_rate, which hold across all workers: a lock on the endpoint
 * lets one worker claim at a time, others skip it.
 */
export function claimWithinLimits(db: Db, by: ClaimFor, quotas: readonly Quota[]): Promise<Claimed[]> {
  return db.transaction(async (db) => {
    await db.run(sql`set local synchronous_commit = off`)
    const allowed = await allowances(db, await lockEndpoints(db, quotas))
    const grants = quotas.flatMap((quota) => {
      const room = Math.min(quota.room, allowed.get(quota.endpointSeq)?.room ?? 0)
      return room > 0 ? [{ ...quota, room }] : []
    })
    if (grants.length === 0) return []
    const claimed = await claim(db, by, grants)
    await saveAllowances(db, claimed, allowed)
    return claimed.map((it) => ({ ...it, isLimited: true }))
  })
}

async function lockEndpoints(db: Db, quotas: readonly Quota[]): Promise<number[]> {
  const seqs = quotas.map((it) => it.endpointSeq)
  const locked = await db.all(sql<{ seq: number }>`
    select seq from webhook_endpoints where seq = any(${seqs}::bigint[]) order by seq for no key update skip locked`)
  return locked.map((it) => it.seq)
}

/** Burst size of the rate limit, in seconds of the rate. */
const BURST_SECONDS = 0.1

interface Allowance {
  readonly seq: number
  readonly room: number
  /** The instant from which the next attempt may begin; null without max_rate. */
  readonly from: string | null
}

/** Generic cell rate algorithm (ITU-T I.371, annex A): each attempt takes its share of the time that has passed. */
async function allowances(db: Db, seqs: readonly number[]): Promise<ReadonlyMap<number, Allowance>> {
  const rows = await db.all(sql<Allowance>`
    select e.seq, pace.from_at as "from", least(
        e.max_in_flight - (select count(*) from webhook_deliveries where endpoint_seq = e.seq and status = 'r'),
        floor(extract(epoch from clock.at - pace.from_at) * e.max_rate + 0.001), 2147483647)::int as room
    from webhook_endpoints e
    left join webhook_pulses p on p.endpoint_seq = e.seq
    cross join (select clock_timestamp() as at offset 0) clock
    cross join lateral (
      select case when e.max_rate is not null
        then greatest(p.given_until, clock.at - make_interval(secs => greatest(${BURST_SECONDS}::float8, 1 / e.max_rate)))
        end as from_at
    ) pace
    where e.seq = any(${seqs}::bigint[])`)
  return new Map(rows.map((it) => [it.seq, it]))
}

async function saveAllowances(
  db: Db,
  claimed: readonly Claimed[],
  allowed: ReadonlyMap<number, Allowance>,
): Promise<void> {
  const paced = [...Map.groupBy(claimed, (it) => it.endpointSeq)].flatMap(([seq, { length: count }]) => {
    const from = allowed.get(seq)?.from ?? null
    return from === null ? [] : [{ seq, count, from }]
  })
  if (paced.length === 0) return
  await db.run(sql`
    insert into webhook_pulses (endpoint_seq, tenant_id, given_until)
    select e.seq, e.tenant_id, g.from_at + make_interval(secs => g.count / e.max_rate)
    from unnest(${paced.map((it) => it.seq)}::bigint[], ${paced.map((it) => it.count)}::int[],
      ${paced.map((it) => it.from)}::timestamptz[]) as g (seq, count, from_at)
    join webhook_endpoints e on e.seq = g.seq
    on conflict (endpoint_seq) do update set given_until = excluded.given_until`)
}
