import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Page } from '#platform/http/paging.ts'
import type { ChangedAsset, Changer } from './change.ts'
import { matching, type WantedChanges } from './change-store.ts'

const CHANGERS_PER_ASSET = 5
const CHANGERS_MAX = 50

/** One row for each asset, the latest changed first. */
export function changedAssets(
  ctx: Ctx,
  { limit, offset }: Page,
  wanted: WantedChanges,
): Promise<ChangedAsset[]> {
  return ctx.db.all(sql<ChangedAsset>`
    with page as (
      select c.asset_id, max(c.position) as last, count(*) as total, array_agg(distinct c.changed_by) as changed_by
      from asset_changes c where ${matching(ctx, wanted)}
      group by c.asset_id order by last desc limit ${limit} offset ${offset}
    ), counted as (
      select k.asset_id, json_agg(json_build_object('kind', k.kind, 'count', k.n) order by k.n desc, k.kind) as counts
      from (
        select c.asset_id, c.kind, count(*) as n from asset_changes c
        where ${matching(ctx, wanted)} and (c.asset_id is null or c.asset_id in (select p.asset_id from page p))
        group by c.asset_id, c.kind
      ) k group by k.asset_id
    ), named as (
      select c.asset_id, array_agg(distinct c.subject) as fields from asset_changes c
      where ${matching(ctx, wanted)} and c.kind = 'field_changed' and c.asset_id in (select p.asset_id from page p)
      group by c.asset_id
    )
    select p.asset_id as "assetId", newest.asset_name as "assetName", a.asset_type as "assetType",
      a.device_type as "deviceType", p.total,
      newest.at as "lastAt", k.counts, coalesce(n.fields, '{}') as fields,
      p.changed_by[1:${sql.lit(CHANGERS_PER_ASSET)}] as "changedBy"
    from page p
    join asset_changes newest on newest.tenant_id = ${ctx.tenantId} and newest.position = p.last
    join counted k on k.asset_id is not distinct from p.asset_id
    left join named n on n.asset_id = p.asset_id
    left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = p.asset_id
    order by p.last desc`)
}

export async function countChangedAssets(ctx: Ctx, wanted: WantedChanges): Promise<number> {
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from (
      select from asset_changes c where ${matching(ctx, wanted)} group by c.asset_id) as changed`)
  return total
}

/** Those with the most changes first. */
export function changers(ctx: Ctx, wanted: WantedChanges): Promise<Changer[]> {
  return ctx.db.all(sql<Changer>`
    select c.changed_by as "changedBy", count(*) as count from asset_changes c where ${matching(ctx, wanted)}
    group by c.changed_by order by count desc, c.changed_by limit ${CHANGERS_MAX}`)
}
