import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** What is installed where, read from the inventory of software. Operating systems are software too. */

const managed = sql`('dpkg', 'rpm', 'apk', 'pacman')`

/** (asset_id, software_id, kernel, is_known_better) of these assets. */
export const installed = (ctx: Ctx, assetIds: readonly string[]) => sql`
  select o.asset_id, each.id as software_id, o.kernel, o.is_known_better
  from (
    select o.id, o.asset_id, coalesce(y.kernel, '') as kernel, exists (
        select from asset_observations p join software_sets q on q.observation_id = p.id
        where p.tenant_id = ${ctx.tenantId} and p.asset_id = o.asset_id and q.origin in ${managed}
      ) as is_known_better
    from asset_observations o
    left join software_systems y on y.observation_id = o.id
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])
    offset 0 -- what is asked of an observation is not asked again for each of its packages
  ) o
  join software_sets s on s.observation_id = o.id
  cross join unnest(s.ids) as each(id)`

/** Whether an asset has this software, by the names of the columns that say which. */
export const hasSoftware = (
  ctx: Ctx,
  assetId: ReturnType<typeof sql>,
  softwareId: ReturnType<typeof sql>,
) => sql`
  exists (
    select from asset_observations o join software_sets s on s.observation_id = o.id
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = ${assetId} and s.ids @> array[${softwareId}])`

/** Whether it has some version of it. */
export const hasPackage = (ctx: Ctx, assetId: ReturnType<typeof sql>, name: ReturnType<typeof sql>) => sql`
  exists (
    select from asset_observations o join software_sets s on s.observation_id = o.id
    cross join unnest(s.ids) as each(id) join software w on w.id = each.id
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = ${assetId} and w.tenant_id = ${ctx.tenantId}
      and w.name = ${name})`

/** When an asset's software was last reported; null when nobody reports any. */
export const inventoriedAt = (ctx: Ctx, assetId: ReturnType<typeof sql>) => sql`(
  select max(o.last_seen) from asset_observations o
  where o.tenant_id = ${ctx.tenantId} and o.asset_id = ${assetId}
    and exists (select from software_sets s where s.observation_id = o.id))`

/** One row of the dictionary. */
export interface SoftwareRow {
  readonly id: number
  readonly origin: string
  readonly ecosystem: string
  readonly name: string
  readonly version: string
  readonly sourceName: string
  readonly sourceVersion: string
  readonly vendor: string
  readonly purl: string
  readonly cpe: string
  readonly vendorKey: string
  readonly productKey: string
}

export const softwareColumns = sql`w.id, w.origin, w.ecosystem, w.name, w.version, w.source_name as "sourceName",
  w.source_version as "sourceVersion", w.vendor, w.purl, w.cpe, w.vendor_key as "vendorKey", w.product_key as "productKey"`

/** Software of these assets that was never looked up. */
export function unmatched(ctx: Ctx, assetIds: readonly string[]): Promise<SoftwareRow[]> {
  return ctx.db.all(sql<SoftwareRow>`
    with ids as materialized (select distinct software_id as id from (${installed(ctx, assetIds)}) i),
    news as materialized (
      select id from ids where not exists (
        select from software_keys k where k.tenant_id = ${ctx.tenantId} and k.software_id = ids.id)
    )
    select ${softwareColumns} from news join software w on w.id = news.id where w.tenant_id = ${ctx.tenantId}`)
}

/** The next ones of all that were ever looked up, behind `after`. */
export function matchedAfter(ctx: Ctx, after: number, limit: number): Promise<SoftwareRow[]> {
  return softwareOf(
    ctx,
    sql`select distinct software_id as id from software_keys
      where tenant_id = ${ctx.tenantId} and software_id > ${after} order by id limit ${limit}`,
  )
}

/** All that was looked up under one of these names. */
export function matchedUnder(
  ctx: Ctx,
  keys: readonly { readonly ecosystem: string; readonly package: string }[],
): Promise<SoftwareRow[]> {
  return softwareOf(
    ctx,
    sql`select distinct k.software_id as id
      from unnest(${keys.map((it) => it.ecosystem)}::text[], ${keys.map((it) => it.package)}::text[]) as t(ecosystem, package)
      join software_keys k on k.tenant_id = ${ctx.tenantId} and k.ecosystem = t.ecosystem and k.package = t.package`,
  )
}

const softwareOf = (ctx: Ctx, ids: ReturnType<typeof sql>): Promise<SoftwareRow[]> =>
  ctx.db.all(sql<SoftwareRow>`
    with ids as materialized (${ids})
    select ${softwareColumns} from ids join software w on w.id = ids.id where w.tenant_id = ${ctx.tenantId}
    order by id`)
