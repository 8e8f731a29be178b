import { sql } from 'kysely'
import { normalizeText } from '#platform/conditions/normalize-text.ts'
import type { Ctx } from '#platform/context.ts'
import { count } from '../asset-count-store.ts'

/** Archives and revives assets, and keeps the counts. The caller holds the tenant's lock. */

export interface RevivedAsset {
  readonly id: string
  readonly name: string
  readonly assetType: string
}
export type ArchivedAsset = RevivedAsset

export interface Archiving {
  readonly id: string
  readonly at: Date
  /** `rule`, or who did it. */
  readonly by: string
}

/** Returns those that were living. */
export async function archive(ctx: Ctx, rows: readonly Archiving[]): Promise<ArchivedAsset[]> {
  const archived = await ctx.db.about(rows.map(({ id }) => id)).all(sql<ArchivedAsset>`
    update assets a set archived_at = r.at, archived_by = r.by, normalized_archived_by = r.normalized
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ by }) => by)}::text[], ${rows.map(({ by }) => normalizeText(by))}::text[]) as r(id, at, by, normalized)
    where a.tenant_id = ${ctx.tenantId} and a.id = r.id and a.archived_at is null
    returning a.id, a.name, a.asset_type as "assetType"`)
  await count(
    ctx,
    [],
    archived.map(({ assetType }) => assetType),
  )
  return archived
}

/** Returns those that were archived. `revivedAt` is when a person did it: rules and staleness count from then. */
export async function revive(
  ctx: Ctx,
  ids: readonly string[],
  revivedAt: Date | null,
): Promise<RevivedAsset[]> {
  const revived = await ctx.db.about(ids).all(sql<RevivedAsset>`
    update assets set archived_at = null, archived_by = null, normalized_archived_by = null,
      revived_at = coalesce(${revivedAt}, revived_at),
      stale_since = case when ${revivedAt}::timestamptz is null then stale_since end
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[]) and archived_at is not null
    returning id, name, asset_type as "assetType"`)
  await countRevived(ctx, revived)
  return revived
}

export async function countRevived(ctx: Ctx, revived: readonly RevivedAsset[]): Promise<void> {
  await count(
    ctx,
    revived.map(({ assetType }) => assetType),
    [],
  )
}

export interface ArchiveState {
  readonly id: string
  readonly archivedAt: string | null
  readonly archivedBy: string | null
}

export function states(ctx: Ctx, ids: readonly string[]): Promise<ArchiveState[]> {
  return ctx.db.all(sql<ArchiveState>`
    select id, archived_at as "archivedAt", archived_by as "archivedBy" from assets
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
}
