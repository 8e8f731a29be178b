import { sql, type RawBuilder } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Cell } from '../dataset/dataset.ts'
import { among, reported } from './asset-rows-store.ts'
import type { Collecting, Rows } from './kind.ts'

/** Pairs that may be one asset, the likeliest. */
export const DUPLICATES_MAX = 500

const DAY_MS = 86_400_000
const WEEK_DAYS = 7
const STALE_DAYS = 30

/** How much a source of a kind knows of an asset; the lowest number knows the most. */
const rank = sql`case o.source_kind when 'agent' then 1 when 'ssh' then 2 when 'wmi' then 2 when 'mdm' then 2
  when 'vmware' then 3 when 'hypervisor' then 3 when 'cloud' then 3 when 'snmp' then 4 when 'sweep' then 5 else 6 end`

/** How an asset is known, by the best of its sources. */
const depth = sql`case min(${rank}) when 1 then 'agent' when 2 then 'logged in' when 3 then 'virtualisation or cloud'
  when 4 then 'SNMP' when 5 then 'seen on the network' else 'list' end`

/** The days that the columns speak of, seen from the moment of the report, or from its period. */
function bounds({ asOf, period }: Collecting) {
  const ago = (days: number, from = asOf): Date => new Date(from.getTime() - days * DAY_MS)
  const from = period?.from ?? ago(WEEK_DAYS)
  const until = period?.until ?? asOf
  // what was seen in the very moment of the report is in it; the end of a period is not
  const afterNow = new Date(asOf.getTime() + 1)
  return {
    week: ago(WEEK_DAYS),
    month: ago(STALE_DAYS),
    newFrom: from,
    newUntil: until < asOf ? until : afterNow,
    goneFrom: ago(WEEK_DAYS, from),
    goneUntil: ago(WEEK_DAYS, until),
  }
}

const counts = (collecting: Collecting): RawBuilder<unknown> => {
  const { week, month, newFrom, newUntil, goneFrom, goneUntil } = bounds(collecting)
  return sql`count(*) as count, count(*) filter (where a.last_seen >= ${week}) as seen_7d,
    count(*) filter (where a.last_seen >= ${month}) as seen_30d,
    count(*) filter (where a.stale_since is not null) as stale,
    count(*) filter (where a.first_seen >= ${newFrom} and a.first_seen < ${newUntil}) as new,
    count(*) filter (where a.last_seen >= ${goneFrom} and a.last_seen < ${goneUntil}) as gone`
}

/**
 * Where each asset is: `sited.site` by `sited.asset_id`, as recorded, else by the longest network that has its address;
 * null: not known.
 */
export const sited = ({ ctx, places }: Pick<Collecting, 'ctx' | 'places'>): RawBuilder<unknown> => sql`
  select x.id as asset_id, s.site
  from assets x
  left join asset_records r on r.tenant_id = ${ctx.tenantId} and r.asset_id = x.id
  left join lateral (
    select n.place_id from place_networks n
    where n.tenant_id = ${ctx.tenantId} and r.place_id is null and address_order(x.ip_address) <<= n.network
    order by masklen(n.network) desc limit 1
  ) near on true
  left join unnest(${places.all.map(({ id }) => id)}::uuid[], ${places.all.map(({ site }) => site)}::text[])
    as s (place_id, site) on s.place_id = coalesce(r.place_id, near.place_id)
  where x.tenant_id = ${ctx.tenantId}`

/** A row for each combination that assets have; each asset is counted in one row. */
export function combinations(collecting: Collecting): Rows {
  const { ctx, assetIds } = collecting
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    with best as materialized (
      select o.asset_id, ${depth} as source
      from asset_observations o where o.tenant_id = ${ctx.tenantId} and ${among(assetIds, 'o.asset_id')}
      group by o.asset_id
    ),
    sited as materialized (${sited(collecting)})
    select * from (
      select a.asset_type as type, coalesce(a.device_type, 'unknown') as device_type,
        nullif(a.vendor, '') as vendor, nullif(a.os, '') as os, s.site, b.source, ${counts(collecting)}
      from assets a left join best b on b.asset_id = a.id left join sited s on s.asset_id = a.id
      where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}
      group by 1, 2, 3, 4, 5, 6
    ) found
    order by type collate "C", device_type collate "C", vendor collate "C" nulls last, os collate "C" nulls last,
      site collate "C" nulls last, source collate "C" nulls last`,
  )
}

const dimensions = {
  type: sql`a.asset_type`,
  device_type: sql`coalesce(a.device_type, 'unknown')`,
  vendor: sql`nullif(a.vendor, '')`,
  os: sql`nullif(a.os, '')`,
} as const
export type Dimension = keyof typeof dimensions

/** A row for each value, the most frequent first. */
export function countsBy(collecting: Collecting, dimension: Dimension): Rows {
  const { ctx, assetIds } = collecting
  const value = dimensions[dimension]
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select * from (
      select ${value} as ${sql.ref(dimension)}, ${counts(collecting)}
      from assets a where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}
      group by 1
    ) found
    order by count desc, ${sql.ref(dimension)} collate "C" nulls last`,
  )
}

/** A row for each site, the one with the most assets first. */
export function countsBySite(collecting: Collecting): Rows {
  const { ctx, assetIds } = collecting
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    with sited as materialized (${sited(collecting)})
    select * from (
      select s.site, ${counts(collecting)}
      from assets a left join sited s on s.asset_id = a.id
      where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}
      group by 1
    ) found
    order by count desc, site collate "C" nulls last`,
  )
}

/** Assets by the type and by how deep the best source looks into them. */
export function coverage({ ctx, assetIds }: Collecting): Rows {
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    with best as materialized (
      select o.asset_id, ${depth} as source, min(${rank}) as place
      from asset_observations o where o.tenant_id = ${ctx.tenantId} and ${among(assetIds, 'o.asset_id')}
      group by o.asset_id
    )
    select a.asset_type as type, coalesce(b.source, 'none') as source, count(*) as count
    from assets a left join best b on b.asset_id = a.id
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}
    group by a.asset_type, b.source, b.place
    order by a.asset_type collate "C", b.place nulls last`,
  )
}

/** Of how many assets each of the things that an inventory should know is known. */
export async function* quality(collecting: Collecting): Rows {
  const { ctx, assetIds } = collecting
  const { total, ...known } = await ctx.db.one(sql<Record<string, number>>`
    with sited as materialized (${sited(collecting)})
    select count(*) as total, count(*) filter (where a.name <> '') as "Name",
      count(*) filter (where a.serial <> '') as "Serial number",
      count(*) filter (where a.vendor <> '') as "Vendor",
      count(*) filter (where a.model <> '') as "Model",
      count(*) filter (where a.os <> '') as "Operating system",
      count(*) filter (where a.ip_address <> '') as "IP address",
      count(*) filter (where a.mac_address <> '') as "MAC address",
      count(*) filter (where r.owner is not null) as "Owner",
      count(*) filter (where s.site is not null) as "Site",
      count(*) filter (where r.warranty_ends is not null) as "Warranty",
      count(*) filter (where a.confidence >= 0.8) as "Device type, with high confidence"
    from assets a left join asset_records r on r.tenant_id = ${ctx.tenantId} and r.asset_id = a.id
    left join sited s on s.asset_id = a.id
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}`)
  if (!total) return
  yield Object.entries(known).map(([what, count]) => ({
    what,
    known: count,
    missing: total - count,
    // in tenths of a percent, whole, so that no rounding of the machine's gets in
    percent: String(Math.round((1_000 * count) / total) / 10),
  }))
}

/** Pairs of assets that may be one, each once; candidates are pairs of what sources saw, in either order. */
export function duplicates({ ctx, assetIds }: Collecting): Rows {
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select x.name as a, x.id as a_id, y.name as b, y.id as b_id, max(c.score) as score
    from asset_candidates c
    join asset_observations p on p.tenant_id = ${ctx.tenantId} and p.id = c.a
    join asset_observations q on q.tenant_id = ${ctx.tenantId} and q.id = c.b
    join assets x on x.tenant_id = ${ctx.tenantId} and x.id = least(p.asset_id, q.asset_id)
      and x.archived_at is null
    join assets y on y.tenant_id = ${ctx.tenantId} and y.id = greatest(p.asset_id, q.asset_id)
      and y.archived_at is null
    where c.tenant_id = ${ctx.tenantId} and c.veto is null and p.asset_id <> q.asset_id
      and ${among(assetIds, 'x.id')} and ${among(assetIds, 'y.id')}
    group by x.name, x.id, y.name, y.id
    order by max(c.score) desc, x.id, y.id limit ${DUPLICATES_MAX}`,
  )
}

/** The last day of each month that was written, of the last twelve. */
export function months({ ctx, asOf, assetIds }: Collecting): Rows {
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select distinct on (date_trunc('month', d.day)) d.day, d.count
    from inventory_days d
    where d.tenant_id = ${ctx.tenantId} and d.dimension = 'total' and d.day <= ${asOf}::timestamptz::date
      and ${assetIds === undefined}
      and d.day > (${asOf}::timestamptz - interval '12 months')::date
    order by date_trunc('month', d.day), d.day desc`,
  )
}

const names = {
  type: 'type',
  device_type: 'device type',
  vendor: 'vendor',
  os: 'operating system',
  site: 'site',
  source: 'source',
}

/** Counts of the first and the last night of the period that differ the most. */
export function largestChanges(collecting: Collecting): Rows {
  const { ctx, assetIds } = collecting
  const { newFrom, newUntil } = bounds(collecting)
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    with nights as (
      select min(d.day) as first, max(d.day) as last from inventory_days d
      where d.tenant_id = ${ctx.tenantId} and d.dimension = 'total'
        and d.day >= ${newFrom}::timestamptz::date and d.day < ${newUntil}::timestamptz
    ),
    ends as (
      select d.dimension, d.value, coalesce(max(d.count) filter (where d.day = n.first), 0) as before,
        coalesce(max(d.count) filter (where d.day = n.last), 0) as after
      from nights n join inventory_days d on d.tenant_id = ${ctx.tenantId} and d.day in (n.first, n.last)
      where n.first < n.last and d.dimension not in ('total', 'open_findings') and ${assetIds === undefined}
      group by d.dimension, d.value
    )
    select coalesce(${JSON.stringify(names)}::jsonb ->> e.dimension, e.dimension) as what, e.value, e.before, e.after,
      e.after - e.before as change
    from ends e where e.after <> e.before
    order by abs(e.after - e.before) desc, e.dimension, e.value collate "C" limit 10`,
  )
}
