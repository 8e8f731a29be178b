import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface ThrottleLimit {
  /** Number of failures before the first wait. */
  readonly free: number
  readonly expiresAfter: string
  /** Seconds after which the count decreases by one; absent: it does not decrease. */
  readonly decaySeconds?: number
}

const WAIT_SECONDS = 5
const WAIT_MAX_SECONDS = 900
/** Bounds the exponent of the backoff, so that it does not overflow. */
const DOUBLINGS_MAX = 20

/**
 * Counts a failure before the password is checked, so that concurrent attempts are all counted. Returns 0 when the
 * check may proceed, else the seconds to wait. Each wait is twice the previous one (exponential backoff).
 */
export async function count(
  system: Ctx,
  bucket: Buffer,
  { free, expiresAfter, decaySeconds }: ThrottleLimit,
): Promise<number> {
  const shrunk =
    decaySeconds === undefined
      ? sql`g.times`
      : sql`greatest(g.times - extract(epoch from clock_timestamp() - g.last_at) / ${decaySeconds}::int, 0)`
  const times = sql`(case when g.last_at < clock_timestamp() - ${expiresAfter}::interval then 0 else ${shrunk} end + 1)`
  const isOpen = await system.db.run(sql`
    insert into wrong_guesses as g (bucket, times, next_at) values (${bucket}, 1, clock_timestamp())
    on conflict (bucket) do update set
      times = ${times},
      last_at = clock_timestamp(),
      next_at = clock_timestamp() + case
        when ${times} < ${free}::int then interval '0'
        else make_interval(secs => least(${WAIT_MAX_SECONDS}::int,
          ${WAIT_SECONDS}::int * power(2, least(floor(${times} - ${free}::int), ${DOUBLINGS_MAX}::int)))) end
    where g.next_at <= clock_timestamp()`)
  if (isOpen > 0) return 0
  const row = await system.db.maybe(sql<{ seconds: number }>`
    select extract(epoch from next_at - clock_timestamp())::float8 as seconds
    from wrong_guesses where bucket = ${bucket}`)
  return Math.max(row?.seconds ?? 0, 1)
}

export async function clear(system: Ctx, bucket: Buffer): Promise<void> {
  await system.db.run(sql`delete from wrong_guesses where bucket = ${bucket}`)
}

/** After a success: removes the failure that was counted in advance. */
export async function decrement(system: Ctx, bucket: Buffer): Promise<void> {
  await system.db.run(sql`
    update wrong_guesses set times = greatest(times - 1, 0), next_at = clock_timestamp() where bucket = ${bucket}`)
}

export async function deleteExpired(system: Ctx): Promise<void> {
  await system.db.run(sql`delete from wrong_guesses where last_at < clock_timestamp() - interval '2 days'`)
}
