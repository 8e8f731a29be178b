import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** The queue of assets to match, and each tenant's cursor in the catalogue's generations. */

export interface QueuedAsset {
  readonly assetId: string
  readonly markedAt: string
  /** Only matches of this software are compared; null: of all software of the asset. */
  readonly softwareIds: readonly number[] | null
}

/** Queues assets with all their software. Rows are written in the order of ids, which rules out deadlocks. */
export async function enqueueAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    insert into matching_due (tenant_id, asset_id, marked_at)
    select ${ctx.tenantId}, id, clock_timestamp()
    from (select distinct id from unnest(${[...assetIds]}::uuid[]) as id order by id) ids
    on conflict (tenant_id, asset_id) do update set marked_at = excluded.marked_at, software_ids = null`)
}

/** Queues the assets that have one of these, for this software alone. */
export async function enqueueAssetsWithSoftware(ctx: Ctx, softwareIds: readonly number[]): Promise<void> {
  await ctx.db.run(sql`select mark_holders_due(${[...softwareIds]}::bigint[])`)
}

/** The longest waiting first. */
export function nextQueued(ctx: Ctx, limit: number): Promise<QueuedAsset[]> {
  return ctx.db.all(sql<QueuedAsset>`
    select asset_id as "assetId", marked_at as "markedAt", software_ids as "softwareIds" from matching_due
    where tenant_id = ${ctx.tenantId} order by marked_at limit ${limit}`)
}

/** Removes them, except those queued again in the meantime (`marked_at` differs). */
export async function dequeue(ctx: Ctx, those: readonly QueuedAsset[]): Promise<void> {
  await ctx.db.run(sql`
    delete from matching_due d
    using unnest(${those.map((it) => it.assetId)}::uuid[], ${those.map((it) => it.markedAt)}::timestamptz[]) as r(id, at)
    where d.tenant_id = ${ctx.tenantId} and d.asset_id = r.id and d.marked_at = r.at`)
}

export interface DeletedAsset {
  readonly id: string
  /** The asset it was merged into; null: it was deleted. */
  readonly survivor: string | null
}

/** Those that are no longer assets. */
export function deletedAmong(ctx: Ctx, assetIds: readonly string[]): Promise<DeletedAsset[]> {
  return ctx.db.all(sql<DeletedAsset>`
    select id, x.asset_id as survivor from unnest(${[...assetIds]}::uuid[]) as id
    left join asset_aliases x on x.old_id = id and x.tenant_id = ${ctx.tenantId}
    where not exists (select from assets a where a.tenant_id = ${ctx.tenantId} and a.id = id.id)`)
}

/** Whether a job of this name waits and was not claimed: it will read what is queued now. */
export async function isJobQueued(ctx: Ctx, name: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from jobs where tenant_id = ${ctx.tenantId} and name = ${name} and leased_until is null
      and failed_at is null) as found`)
  return found
}

/** Tenants with queued assets older than ten seconds, or whose cursor is not at `generation`. */
export async function tenantsBehind(
  system: Ctx,
  generation: number,
): Promise<readonly { readonly tenantId: string; readonly isBehind: boolean }[]> {
  return system.db.all(sql<{ tenantId: string; isBehind: boolean }>`
    select tenant_id as "tenantId", bool_or(behind) as "isBehind" from (
      select distinct tenant_id, false as behind from matching_due
      where marked_at < clock_timestamp() - interval '10 seconds'
      union all
      select tenant_id, true from matching_cursors where changes_seen <> ${generation}
    ) t group by tenant_id`)
}

export async function cursor(ctx: Ctx): Promise<number | undefined> {
  const row = await ctx.db.maybe(sql<{ seen: number }>`
    select changes_seen as seen from matching_cursors where tenant_id = ${ctx.tenantId}`)
  return row?.seen
}

/** Undefined: never matched. */
export function matched(
  ctx: Ctx,
): Promise<{ readonly generation: number; readonly matchedAt: string } | undefined> {
  return ctx.db.maybe(sql<{ generation: number; matchedAt: string }>`
    select changes_seen as generation, matched_at as "matchedAt" from matching_cursors
    where tenant_id = ${ctx.tenantId}`)
}

export async function setCursor(ctx: Ctx, generation: number): Promise<void> {
  // conditions ask whether there is a row, not what it says, so a change of it is about no asset
  const changed = await ctx.db.about([]).run(sql`
    update matching_cursors set changes_seen = ${generation}, matched_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId}`)
  if (changed > 0) return
  await ctx.db.run(sql`
    insert into matching_cursors (tenant_id, changes_seen, matched_at) values (${ctx.tenantId}, ${generation}, ${ctx.now()})
    on conflict (tenant_id) do update set changes_seen = excluded.changes_seen, matched_at = excluded.matched_at`)
}

/** Assets with a match that was missed in one inventory and that have a newer inventory. */
export async function assetsWithMissedMatches(ctx: Ctx, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct f.asset_id as id from finding_attributions a join findings f on f.id = a.finding_id
    where a.tenant_id = ${ctx.tenantId} and a.missed_at is not null and f.tenant_id = ${ctx.tenantId}
      and exists (select from asset_observations o where o.tenant_id = ${ctx.tenantId} and o.asset_id = f.asset_id
        and o.last_seen > a.missed_at)
    limit ${limit}`)
  return rows.map(({ id }) => id)
}

export async function tenantsWithMissedMatches(system: Ctx): Promise<string[]> {
  const rows = await system.db.all(sql<{ id: string }>`
    select distinct tenant_id as id from finding_attributions where missed_at is not null`)
  return rows.map(({ id }) => id)
}

/** Writes only what differs, for each write of a tenant ends what its lists remember. */
export async function writeFeedsRead(ctx: Ctx, readAt: string | null): Promise<void> {
  const isOther = sql`feeds_read_at is distinct from ${readAt}::timestamptz`
  const { isThere } = await ctx.db.one(sql<{ isThere: boolean }>`
    select exists (select from matching_cursors where tenant_id = ${ctx.tenantId} and ${isOther}) as "isThere"`)
  if (isThere)
    await ctx.db.run(sql`
      update matching_cursors set feeds_read_at = ${readAt}::timestamptz
      where tenant_id = ${ctx.tenantId} and ${isOther}`)
}
