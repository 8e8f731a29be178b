import { sql } from 'kysely'
import type { Query } from '../database/database.ts'

/** What a caller has used of its running window. */
export interface Allowance {
  readonly limit: number
  readonly used: number
  /** Unix seconds. */
  readonly resetsAt: number
  readonly secondsLeft: number
}

/** Kept windows: the oldest are forgotten first, so that a flood of invented callers cannot fill the memory. */
const WINDOWS_MAX = 100_000
const WINDOW_SECONDS = 60

export const isOver = ({ used, limit }: Allowance): boolean => used > limit

export const rateLimitHeaders = (
  { limit, used, resetsAt }: Allowance,
  prefix = 'x-ratelimit',
): Record<string, string> => ({
  [`${prefix}-limit`]: String(limit),
  [`${prefix}-remaining`]: String(Math.max(0, limit - used)),
  [`${prefix}-reset`]: String(resetsAt),
})

/** Seconds until none of the counts refuses a request any more; undefined when none does. */
export function secondsOver(allowances: readonly Allowance[]): number | undefined {
  const over = allowances.filter(isOver).map(({ secondsLeft }) => secondsLeft)
  return over.length === 0 ? undefined : Math.max(...over)
}

/** The answer while the database is unavailable and nothing can be counted. */
export const freshAllowance = (limit: number): Allowance => ({
  limit,
  used: 0,
  secondsLeft: WINDOW_SECONDS,
  resetsAt: Math.ceil(Date.now() / 1000) + WINDOW_SECONDS,
})

/** Columns of a counted request. */
export interface Counted {
  readonly used: number
  readonly resets_at: number
  readonly seconds_left: number
}

/**
 * Counts requests in the windows that all nodes share: so many of each bucket, each bucket named once. One row for each. A
 * window is 60 seconds long and begins with the first request of its caller, so it is exact on any number of nodes and no
 * node's clock matters.
 */
export const countingAll = (
  buckets: Query<{ bucket: Buffer; times: number }>,
): Query<Counted & { bucket: Buffer }> => sql`
  insert into rate_windows as w (bucket, ends_at, used)
  select bucket, now() + make_interval(secs => ${WINDOW_SECONDS}), times from (${buckets}) as counted_here (bucket, times)
  on conflict (bucket) do update set
    used = case when w.ends_at <= now() then 0 else w.used end + excluded.used,
    ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end
  returning bucket, used, ceil(extract(epoch from ends_at))::bigint as resets_at,
    extract(epoch from ends_at - clock_timestamp())::float8 as seconds_left`

/** The same for one request. */
export const counting = (bucket: Buffer): Query<Counted> => countingAll(sql`select ${bucket}::bytea, 1`)

/** The running window of a bucket, which is counted no further by this. */
export const looking = (bucket: Buffer): Query<Counted> => sql`
  select used, ceil(extract(epoch from ends_at))::bigint as resets_at,
    extract(epoch from ends_at - clock_timestamp())::float8 as seconds_left
  from rate_windows where bucket = ${bucket}::bytea and ends_at > now()`

/** For what is known of a caller for so many seconds more, on all nodes. Written again in the last half of them alone. */
export const keeping = (bucket: Buffer, seconds: number): Query<unknown> => sql`
  insert into rate_windows as w (bucket, ends_at, used)
  values (${bucket}::bytea, now() + make_interval(secs => ${seconds}::float8), 1)
  on conflict (bucket) do update set ends_at = excluded.ends_at
  where w.ends_at < now() + make_interval(secs => ${seconds}::float8 / 2)`

export const allowanceOf = (limit: number, { used, resets_at, seconds_left }: Counted): Allowance => ({
  limit,
  used,
  resetsAt: resets_at,
  secondsLeft: seconds_left,
})

export const endedWindows = (): Query<unknown> =>
  sql`delete from rate_windows where ends_at < now() - make_interval(secs => ${WINDOW_SECONDS})`

interface Window {
  readonly used: number
  readonly endsAtMs: number
  /** The reset time that the first response of the window named; all responses of a window name the same. */
  readonly resetsAt: number
}

/**
 * Windows counted in this process only: for requests that never reach the database, and a cache of callers that are over
 * their limit, which they stay until their window ends. `nowMs` is a monotonic clock.
 */
export interface LocalRateWindows {
  readonly count: (bucket: string) => Allowance
  /** Undefined unless the caller is known to be over its limit. */
  readonly recallOver: (bucket: string) => Allowance | undefined
  readonly remember: (bucket: string, allowance: Allowance, askedAtMs: number) => void
}

export function openLocalRateWindows(
  limit: number,
  nowMs: () => number = () => performance.now(),
): LocalRateWindows {
  const windows = new Map<string, Window>()
  const running = (bucket: string): Window | undefined => {
    const window = windows.get(bucket)
    return window && window.endsAtMs > nowMs() ? window : undefined
  }
  const keep = (bucket: string, window: Window): void => {
    windows.delete(bucket)
    windows.set(bucket, window)
    if (windows.size > WINDOWS_MAX) windows.delete(windows.keys().next().value as string)
  }
  const begin = (): Window => ({
    used: 0,
    endsAtMs: nowMs() + WINDOW_SECONDS * 1000,
    resetsAt: Math.ceil(Date.now() / 1000) + WINDOW_SECONDS,
  })
  const allowance = ({ used, endsAtMs, resetsAt }: Window): Allowance => ({
    limit,
    used,
    secondsLeft: (endsAtMs - nowMs()) / 1000,
    resetsAt,
  })
  return {
    count(bucket) {
      const begun = running(bucket) ?? begin()
      const window = { ...begun, used: begun.used + 1 }
      keep(bucket, window)
      return allowance(window)
    },
    recallOver(bucket) {
      const window = running(bucket)
      return window && window.used > limit ? allowance(window) : undefined
    },
    // measured from before the question, so that the memory never outlives the window
    remember(bucket, { used, secondsLeft, resetsAt }, askedAtMs) {
      keep(bucket, { used, endsAtMs: askedAtMs + secondsLeft * 1000, resetsAt })
    },
  }
}
