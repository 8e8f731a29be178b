import { sql, type RawBuilder } from 'kysely'
import { isLimited, type Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { holdersOf } from './software-holders-store.ts'
import type { Holder, SystemName } from './software-lists.ts'

/** Assets that have one software or run one operating system, by name. */

export async function ofSoftware(
  ctx: Ctx,
  { limit, offset }: Page,
  softwareId: number,
): Promise<Listed<Holder>> {
  if (isLimited(ctx))
    return page(ctx, { limit, offset }, sql`(select h.asset_id from ${holdersOf(ctx, [softwareId])} h)`)
  const found = await ctx.db.all(sql<{ id: string | null; total: number }>`
    select id, total from assets_with_software(${softwareId}, ${limit}, ${offset})`)
  const ids = found.flatMap(({ id }) => id ?? [])
  const total = found[0]?.total ?? 0
  if (ids.length === 0) return { items: [], total }
  const items = await ctx.db.all(sql<Holder>`
    select ${columns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${ids}::uuid[])
    order by a.name, a.id`)
  return { items, total }
}

const columns = sql`a.id as "assetId", a.name, a.asset_type as "assetType", a.os, a.last_seen as "lastSeen"`

/** A page beyond the end still has the total, on a row without an asset. */
export const ofSystem = (ctx: Ctx, wanted: Page, system: SystemName): Promise<Listed<Holder>> =>
  page(
    ctx,
    wanted,
    sql`(select o.asset_id from software_systems s
      join asset_observations o on o.id = s.observation_id and o.tenant_id = ${ctx.tenantId}
      where s.tenant_id = ${ctx.tenantId} and s.os_id = ${system.id} and s.version_id = ${system.versionId}
        and s.pretty_name = ${system.prettyName})`,
  )

/** Living ones of these assets. */
async function page(
  ctx: Ctx,
  { limit, offset }: Page,
  assetIds: RawBuilder<unknown>,
): Promise<Listed<Holder>> {
  const rows = await ctx.db.all(sql<(Holder | { readonly assetId: null }) & { readonly total: number }>`
    with held as materialized (
      select ${columns} from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.id in ${assetIds}
    )
    select t.total, p.* from (select count(*) as total from held) t left join (
      select * from held order by name, "assetId" limit ${limit} offset ${offset}
    ) p on true
    order by p.name, p."assetId"`)
  return {
    items: rows.flatMap((row) => {
      if (row.assetId === null) return []
      const { total: _total, ...holder } = row
      return [holder]
    }),
    total: rows[0]?.total ?? 0,
  }
}
