import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** What is installed where, read from the inventory of software. Operating systems count as software, under negative ids. */

const managed = sql`('dpkg', 'rpm', 'apk', 'pacman')`

/** (asset_id, software_id, kernel, is_known_better) of these assets. */
export const installed = (ctx: Ctx, assetIds: readonly string[]) => sql`
  select o.asset_id, each.id as software_id, o.kernel, o.is_known_better
  from (
    select o.id, o.asset_id, coalesce(y.kernel, '') as kernel, -m.id as system_id, exists (
        select from asset_observations p join software_sets q on q.observation_id = p.id
        where p.tenant_id = ${ctx.tenantId} and p.asset_id = o.asset_id and q.origin in ${managed}
      ) as is_known_better
    from asset_observations o
    left join software_systems y on y.observation_id = o.id
    left join matching_systems m on m.tenant_id = ${ctx.tenantId} and m.os_id = y.os_id
      and m.version_id = y.version_id and m.pretty_name = y.pretty_name
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])
    offset 0 -- what is asked of an observation is not asked again for each of its packages
  ) o
  cross join lateral (
    select unnest(s.ids) as id from software_sets s where s.observation_id = o.id
    union all select o.system_id where o.system_id is not null
  ) each`

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

const systemColumns = sql`-m.id as id, 'system' as origin, '' as ecosystem, m.os_id as name, m.version_id as version,
  '' as "sourceName", '' as "sourceVersion", '' as vendor, '' as purl, '' as cpe, m.pretty_name as "vendorKey",
  '' as "productKey"`

/** Systems of these assets that are seen for the first time. */
export async function addSystems(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    insert into matching_systems (tenant_id, os_id, version_id, pretty_name)
    select distinct ${ctx.tenantId}::uuid, y.os_id, y.version_id, y.pretty_name
    from asset_observations o join software_systems y on y.observation_id = o.id
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])
      and not exists (
        select from matching_systems m where m.tenant_id = ${ctx.tenantId} and m.os_id = y.os_id
          and m.version_id = y.version_id and m.pretty_name = y.pretty_name)
    on conflict do nothing`)
}

/** Software of these assets that was never looked up. */
export function unmatched(ctx: Ctx, assetIds: readonly string[]): Promise<SoftwareRow[]> {
  return ctx.db.all(sql<SoftwareRow>`
    with ids as materialized (select distinct software_id as id from (${installed(ctx, assetIds)}) i),
    news as materialized (
      select id from ids where not exists (
        select from software_keys k where k.tenant_id = ${ctx.tenantId} and k.software_id = ids.id)
    )
    select ${softwareColumns} from news join software w on w.id = news.id where w.tenant_id = ${ctx.tenantId}
    union all
    select ${systemColumns} from news join matching_systems m on -m.id = news.id where m.tenant_id = ${ctx.tenantId}`)
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
    union all
    select ${systemColumns} from ids join matching_systems m on -m.id = ids.id where m.tenant_id = ${ctx.tenantId}
    order by id`)
