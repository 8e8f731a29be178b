import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { holdersOf } from './software-holders-store.ts'
import type {
  AssetSystem,
  InstalledOn,
  Software,
  SoftwareChange,
  SoftwareFilter,
  SoftwareHolder,
  SoftwareNames,
  SystemInUse,
} from './software-lists.ts'

/** Reads of the inventory for lists. */

const columns = sql`s.id, s.origin, s.ecosystem, s.name, s.version, s.arch, s.source_name as "sourceName",
  s.source_version as "sourceVersion", s.vendor, s.purl, s.cpe, s.vendor_key as "vendorKey",
  s.product_key as "productKey", s.first_seen as "firstSeen", s.ends_on::text as "endsOn"`

/** A page beyond the end still has the total, on a row without an item. */
const listed = <T extends { readonly id: number }>(
  rows: readonly ((T | { readonly id: null }) & { readonly total: number })[],
): Listed<T> => ({
  items: rows.flatMap((row) => {
    if (row.id === null) return []
    const { total: _total, ...item } = row
    return [item as unknown as T]
  }),
  total: rows[0]?.total ?? 0,
})

type Row<T> = (T | { readonly id: null }) & { readonly total: number }

/** The software of these ids, each with how many assets have it. */
export function counted(
  ctx: Ctx,
  ids: readonly string[],
): Promise<(Software & { readonly assets: number })[]> {
  return ctx.db.all(sql<Software & { readonly assets: number }>`
    with page as materialized (
      select s.* from software s where s.tenant_id = ${ctx.tenantId} and s.id = any(${[...ids]}::bigint[]))
    select ${columns}, (s.installs - coalesce(d.n, 0) - coalesce(x.n, 0))::int as assets
    from page s left join (${duplicateSets(ctx)}) d on d.id = s.id left join (${onArchived(ctx)}) x on x.id = s.id`)
}

/** What a filter means, of entries `s`. */
export function narrowing({ search, origin, vendor }: SoftwareFilter): RawBuilder<unknown>[] {
  const pattern = search === undefined ? undefined : `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  return [
    ...(pattern === undefined
      ? []
      : [sql`lower(s.name || ' ' || s.vendor || ' ' || s.source_name) like ${pattern}`]),
    ...(origin === undefined ? [] : [sql`s.origin = ${origin}`]),
    ...(vendor === undefined
      ? []
      : [sql`(lower(s.vendor) = ${vendor.toLowerCase()} or s.vendor_key = ${vendor.toLowerCase()})`]),
  ]
}

/**
 * The surplus of sets over assets for each software of `page`: `installs` counts sets, and an asset of several
 * observations may list the same software several times.
 */
const duplicateSets = (ctx: Ctx) => sql`
  select id, sum(n - 1) as n from (
    select o.asset_id, held.id, count(*) as n
    from (
      select o.asset_id, t.origin from software_sets t join asset_observations o on o.id = t.observation_id
      where t.tenant_id = ${ctx.tenantId} and o.tenant_id = ${ctx.tenantId}
      group by 1, 2 having count(*) > 1
    ) several join asset_observations o on o.asset_id = several.asset_id and o.tenant_id = ${ctx.tenantId}
      join software_sets t on t.tenant_id = ${ctx.tenantId} and t.observation_id = o.id and t.origin = several.origin
      cross join unnest(t.ids) as held (id)
    where held.id in (select id from page)
    group by 1, 2 having count(*) > 1
  ) each group by id`

/** On how many archived assets each software of `page` is. */
const onArchived = (ctx: Ctx) => sql`
  select held.id, count(distinct o.asset_id) as n
  from assets a
  join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
  join software_sets t on t.tenant_id = ${ctx.tenantId} and t.observation_id = o.id
    and t.ids && array(select id from page)
  cross join unnest(t.ids) as held (id)
  where a.tenant_id = ${ctx.tenantId} and a.archived_at is not null and held.id in (select id from page)
  group by held.id`

export async function counts(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await ctx.db.all(sql<{ id: number; assets: number }>`
    with page as materialized (
      select id, installs from software where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::bigint[])
    )
    select p.id, (p.installs - coalesce(d.n, 0) - coalesce(x.n, 0))::int as assets
    from page p left join (${duplicateSets(ctx)}) d on d.id = p.id left join (${onArchived(ctx)}) x on x.id = p.id`)
  return new Map(rows.map(({ id, assets }) => [id, assets]))
}

/** Distinct software of all observations of the asset. */
export async function ofAsset(
  ctx: Ctx,
  assetId: string,
  { limit, offset }: Page,
): Promise<Listed<InstalledOn>> {
  const rows = await ctx.db.all(sql<Row<InstalledOn>>`
    with held as materialized (
      select held.id, min(t.reported_at) as "reportedAt",
        coalesce(jsonb_agg(t.details -> held.id::text) filter (where t.details ? held.id::text), '[]') as details
      from asset_observations o join software_sets t on t.observation_id = o.id cross join unnest(t.ids) held (id)
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = ${assetId} and t.tenant_id = ${ctx.tenantId}
        and t.origin <> 'os'
      group by held.id
    )
    select t.total, p.* from (select count(*) as total from held) t left join (
      select ${columns}, h.details from held h join software s on s.tenant_id = ${ctx.tenantId} and s.id = h.id
      order by lower(s.name), s.version, s.id limit ${limit} offset ${offset}
    ) p on true
    order by lower(p.name), p.version, p.id`)
  return listed(rows)
}

export async function changesOf(
  ctx: Ctx,
  assetId: string,
  { limit, offset }: Page,
): Promise<Listed<SoftwareChange>> {
  const rows = await ctx.db.all(sql<Row<SoftwareChange>>`
    with found as materialized (
      select c.* from asset_observations o join software_changes c on c.observation_id = o.id
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = ${assetId} and c.tenant_id = ${ctx.tenantId}
        and c.origin <> 'os'
    )
    select t.total, p.* from (select count(*) as total from found) t left join (
      select c.id, c.kind, c.at, c.origin, s.name, s.arch, case c.kind when 'removed' then '' else s.version end as version,
        case c.kind when 'removed' then s.version else coalesce(f.version, '') end as "formerVersion"
      from found c join software s on s.tenant_id = ${ctx.tenantId} and s.id = c.software_id
        left join software f on f.tenant_id = ${ctx.tenantId} and f.id = c.former_id
      order by c.at desc, c.id desc limit ${limit} offset ${offset}
    ) p on true
    order by p.at desc, p.id desc`)
  return listed(rows)
}

/** In the order of ids. */
export function after(ctx: Ctx, id: number, limit: number): Promise<Software[]> {
  return ctx.db.all(sql<Software>`
    select ${columns} from software s where s.tenant_id = ${ctx.tenantId} and s.id > ${id}
    order by s.id limit ${limit}`)
}

export function byNames(ctx: Ctx, { packages, products }: SoftwareNames): Promise<Software[]> {
  const names = packages.map((it) => it.toLowerCase())
  return ctx.db.all(sql<Software>`
    select ${columns} from software s where s.tenant_id = ${ctx.tenantId} and s.id in (
      select id from software where tenant_id = ${ctx.tenantId} and lower(name) = any(${names}::text[])
      union all
      select id from software where tenant_id = ${ctx.tenantId} and lower(source_name) = any(${names}::text[])
      union all
      select id from software where tenant_id = ${ctx.tenantId} and product_key = any(${[...products]}::text[])
    ) order by s.id`)
}

export function holders(ctx: Ctx, ids: readonly number[]): Promise<SoftwareHolder[]> {
  return ctx.db.all(sql<SoftwareHolder>`
    select software_id as "softwareId", observation_id as "observationId", asset_id as "assetId"
    from ${holdersOf(ctx, ids)} h`)
}

export function heldByAssets(ctx: Ctx, assetIds: readonly string[]): Promise<SoftwareHolder[]> {
  return ctx.db.all(sql<SoftwareHolder>`
    select held.id as "softwareId", o.id as "observationId", o.asset_id as "assetId"
    from asset_observations o join software_sets t on t.observation_id = o.id cross join unnest(t.ids) held (id)
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])
      and t.tenant_id = ${ctx.tenantId}`)
}

export async function assetsOf(ctx: Ctx, observationIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ assetId: string }>`
    select distinct asset_id as "assetId" from asset_observations
    where tenant_id = ${ctx.tenantId} and id = any(${[...observationIds]}::uuid[])`)
  return rows.map(({ assetId }) => assetId)
}

/** The newest report of each asset first. */
export function systems(ctx: Ctx, assetIds: readonly string[]): Promise<AssetSystem[]> {
  return ctx.db.all(sql<AssetSystem>`
    select o.asset_id as "assetId", s.os_id as id, s.version_id as "versionId", s.codename,
      s.pretty_name as "prettyName", s.kernel, s.ecosystem, s.reported_at as "reportedAt"
    from asset_observations o join software_systems s on s.observation_id = o.id and s.tenant_id = ${ctx.tenantId}
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])
    order by s.reported_at desc, s.observation_id`)
}

export function systemsInUse(ctx: Ctx): Promise<SystemInUse[]> {
  return ctx.db.all(sql<SystemInUse>`
    select s.os_id as id, s.version_id as "versionId", s.pretty_name as "prettyName",
      count(distinct o.asset_id)::int as assets
    from software_systems s join asset_observations o on o.id = s.observation_id and o.tenant_id = ${ctx.tenantId}
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and a.archived_at is null
    where s.tenant_id = ${ctx.tenantId}
    group by 1, 2, 3 order by 1, 2, 3`)
}
