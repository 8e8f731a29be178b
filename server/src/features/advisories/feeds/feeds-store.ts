import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { FeedName } from '../formats/all.ts'
import type { PartState } from '../loading/load-store.ts'

export interface FeedRow {
  readonly name: FeedName
  readonly isEnabled: boolean
  readonly mirrorUrl: string | null
  /** RFC 3339. */
  readonly startedAt: string | null
  readonly syncedAt: string | null
  readonly nextAt: string | null
  readonly failures: number
  readonly lastError: string | null
  readonly progress: Progress | null
  readonly isRunning: boolean
  readonly isRequested: boolean
  readonly records: number
  /** All it has are samples for demos. */
  readonly isSample: boolean
}

/** Progress of a running sync. */
export interface Progress {
  readonly part: string
  readonly records: number
  readonly bytes: number
  readonly bytesTotal: number | null
}

/** A running process renews its lease well before this. */
const LEASE_SECONDS = 60

/** Part of a feed that holds samples for demos; advisories for nobody else. */
export const SAMPLE_PART = 'demo'

/** Only feeds that were ever enabled, synced or loaded. */
export function feedRows(ctx: Ctx): Promise<readonly FeedRow[]> {
  return ctx.db.all(sql<FeedRow>`
    select f.name, f.is_enabled as "isEnabled", f.mirror_url as "mirrorUrl", f.started_at as "startedAt",
      f.synced_at as "syncedAt", f.next_at as "nextAt", f.failures, f.last_error as "lastError", f.progress,
      coalesce(f.leased_until > clock_timestamp(), false) as "isRunning", f.requested_at is not null as "isRequested",
      f.records, exists (select from advisory_parts p where p.feed = f.name)
        and not exists (select from advisory_parts p where p.feed = f.name and p.part <> ${SAMPLE_PART}) as "isSample"
    from advisory_feeds f order by f.name`)
}

export function partsOf(
  ctx: Ctx,
  feed: FeedName,
): Promise<readonly (PartState & { readonly syncedAt: string })[]> {
  return ctx.db.all(sql<PartState & { syncedAt: string }>`
    select part, etag, last_modified as "lastModified", checksum, position, synced_at as "syncedAt"
    from advisory_parts where feed = ${feed}`)
}

/** Takes the lease of the feed; false while another process holds it. */
export async function lease(ctx: Ctx, feed: FeedName, id: string): Promise<boolean> {
  const claimed = await ctx.db.run(sql`
    insert into advisory_feeds (name, lease, leased_until, started_at)
    values (${feed}, ${id}, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), ${ctx.now()})
    on conflict (name) do update set lease = excluded.lease, leased_until = excluded.leased_until,
      started_at = excluded.started_at, requested_at = null, progress = null
    where advisory_feeds.leased_until is null or advisory_feeds.leased_until < clock_timestamp()`)
  return claimed === 1
}

/** Renews the lease and stores the progress; false when another process holds it. */
export async function renew(ctx: Ctx, feed: FeedName, id: string, progress: Progress): Promise<boolean> {
  const renewed = await ctx.db.run(sql`
    update advisory_feeds set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
      progress = ${JSON.stringify(progress)}::json
    where name = ${feed} and lease = ${id}`)
  return renewed === 1
}

/** Renews the lease without progress, during a long statement. */
export async function extendLease(ctx: Ctx, feed: FeedName, id: string): Promise<void> {
  await ctx.db.run(sql`
    update advisory_feeds set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where name = ${feed} and lease = ${id}`)
}

export interface SyncResult {
  /** Absent after a success. */
  readonly error?: string
  readonly nextAt: Date
}

export async function release(
  ctx: Ctx,
  feed: FeedName,
  id: string,
  { error, nextAt }: SyncResult,
): Promise<void> {
  await ctx.db.run(sql`
    update advisory_feeds set lease = null, leased_until = null, progress = null, next_at = ${nextAt},
      last_error = ${error ?? null}, failures = ${error === undefined ? sql`0` : sql`failures + 1`},
      synced_at = ${error === undefined ? ctx.now() : sql`synced_at`}
    where name = ${feed} and lease = ${id}`)
}

/** Records that a file was loaded manually. */
export async function recordManualLoad(system: Ctx, feed: FeedName): Promise<void> {
  await system.db.run(sql`
    insert into advisory_feeds (name, synced_at) values (${feed}, ${system.now()})
    on conflict (name) do update set synced_at = excluded.synced_at, last_error = null, failures = 0`)
}

/** Feeds that are enabled and due, or requested, and not leased. */
export async function dueFeeds(ctx: Ctx): Promise<readonly FeedName[]> {
  const rows = await ctx.db.all(sql<{ name: FeedName }>`
    select name from advisory_feeds
    where ((is_enabled and (next_at is null or next_at <= ${ctx.now()})) or requested_at is not null)
      and (leased_until is null or leased_until < clock_timestamp())
    order by requested_at nulls last, next_at nulls first, name`)
  return rows.map((it) => it.name)
}

export async function setEnabled(ctx: Ctx, feed: FeedName, isEnabled: boolean): Promise<void> {
  await ctx.db.run(sql`select set_feed_enabled(${feed}, ${isEnabled})`)
}

export async function requestSync(ctx: Ctx, feed: FeedName): Promise<void> {
  await ctx.db.run(sql`select request_feed_sync(${feed})`)
}

export interface Access {
  readonly mirrorUrl: string | null
  readonly apiKey: Buffer | null
}

export async function access(system: Ctx, feed: FeedName): Promise<Access> {
  const row = await system.db.maybe(sql<Access>`
    select mirror_url as "mirrorUrl", api_key as "apiKey" from advisory_feeds where name = ${feed}`)
  return row ?? { mirrorUrl: null, apiKey: null }
}

/** Undefined fields stay unchanged. */
export async function setAccess(system: Ctx, feed: FeedName, set: Partial<Access>): Promise<void> {
  const { mirrorUrl, apiKey } = set
  await system.db.run(sql`
    insert into advisory_feeds (name, mirror_url, api_key) values (${feed}, ${mirrorUrl ?? null}, ${apiKey ?? null})
    on conflict (name) do update set
      mirror_url = ${mirrorUrl === undefined ? sql`advisory_feeds.mirror_url` : mirrorUrl},
      api_key = ${apiKey === undefined ? sql`advisory_feeds.api_key` : apiKey}`)
}
