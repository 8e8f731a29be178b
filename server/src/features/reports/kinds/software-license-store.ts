import { sql, type RawBuilder } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Cell } from '../dataset/dataset.ts'
import { among, reported } from './asset-rows-store.ts'
import { partsOfSystems } from './audit/asset-details-store.ts'
import type { Collecting, Rows } from './kind.ts'

type Chosen = Pick<Collecting, 'ctx' | 'assetIds'>

/** A row for each asset and each piece of software that it has. */
const installed = ({ ctx, assetIds }: Chosen) => sql`
  select distinct s.name, s.vendor, s.version, o.asset_id
  from software_sets h
  cross join lateral unnest(h.ids) as held (id)
  join software s on s.tenant_id = ${ctx.tenantId} and s.id = held.id
  join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = h.observation_id
  join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and ${reported(assetIds)}
  where h.tenant_id = ${ctx.tenantId} and not (s.origin = any(${partsOfSystems}::text[]))
    and ${among(assetIds, 'o.asset_id')}`

/** Within so many days software is in use. */
export const USED_DAYS = 90

/** A row for each asset and name of software of which a source tells the last use. Only these origins tell it. */
const uses = ({ ctx, assetIds, asOf }: Used) => sql`
  select s.name, o.asset_id, max(d.value ->> 'lastUsedOn') >= ${dayOf(asOf)} as is_used
  from software_sets h
  cross join lateral jsonb_each(h.details) d
  join software s on s.tenant_id = ${ctx.tenantId} and s.id = d.key::bigint
  join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = h.observation_id
  join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and ${reported(assetIds)}
  where h.tenant_id = ${ctx.tenantId} and h.origin in ('windows', 'macos') and d.value ? 'lastUsedOn'
    and s.id = any(h.ids) and ${among(assetIds, 'o.asset_id')}
  group by s.name, o.asset_id`

type Used = Chosen & Pick<Collecting, 'asOf'>

const dayOf = (asOf: Date): string =>
  new Date(asOf.getTime() - USED_DAYS * 86_400_000).toISOString().slice(0, 10)

/** On how many assets software of these names was used lately, and on how many not; those of unknown use are neither. */
export async function useOf(
  collecting: Used,
  names: readonly string[],
): Promise<{ readonly used: number; readonly unused: number } | undefined> {
  const { used, unused } = await collecting.ctx.db.one(sql<{ used: number; unused: number }>`
    select count(*) filter (where is_used)::int as used, count(*) filter (where not is_used)::int as unused from (
      select asset_id, bool_or(is_used) as is_used from (${uses(collecting)}) u
      where u.name = any(${[...names]}::text[]) group by asset_id) each`)
  return used + unused === 0 ? undefined : { used, unused }
}

/** On how many assets each product is, in whatever version. */
export function products(collecting: Collecting): Rows {
  return readByCursor(
    collecting.ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select i.name as product, nullif(max(i.vendor), '') as vendor, count(distinct i.asset_id) as installed,
      max(l.used) as used_90d
    from (${installed(collecting)}) i
    left join (
      select u.name, count(*) filter (where u.is_used)::int as used from (${uses(collecting)}) u group by u.name
    ) l on l.name = i.name
    group by i.name
    order by count(distinct i.asset_id) desc, i.name collate "C"`,
  )
}

export function versions(collecting: Collecting): Rows {
  return readByCursor(
    collecting.ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select i.name as product, nullif(max(i.vendor), '') as vendor, nullif(i.version, '') as version,
      count(distinct i.asset_id) as installed
    from (${installed(collecting)}) i group by i.name, i.version
    order by i.name collate "C", i.version collate "C" nulls last`,
  )
}

/** Of all products that are installed. */
export async function names({ ctx, assetIds }: Chosen): Promise<string[]> {
  const found = await ctx.db.all(sql<{ name: string }>`
    select distinct i.name from (${installed({ ctx, assetIds })}) i order by i.name`)
  return found.map(({ name }) => name)
}

/** Operating systems of the assets. */
export async function systems({ ctx, assetIds }: Chosen): Promise<string[]> {
  const found = await ctx.db.all(sql<{ os: string }>`
    select distinct a.os from assets a
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)} and a.os <> ''
    order by a.os`)
  return found.map(({ os }) => os)
}

export interface Holders {
  readonly assets: number
  /** Null: not known of each. */
  readonly cores: number | null
}

/** How many assets have software of one of the names, or an operating system of them, and their cores together. */
export function holders(
  { ctx, assetIds }: Chosen,
  of: { readonly names: readonly string[]; readonly systems: readonly string[] },
): Promise<Holders> {
  return ctx.db.one(sql<Holders>`
    select count(*) as assets, case when count(a.cpu_count) = count(*) then sum(a.cpu_count) end as cores
    from assets a
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)} and (
      a.os = any(${[...of.systems]}::text[])
      or a.id in (select i.asset_id from (${installed({ ctx, assetIds })}) i
        where i.name = any(${[...of.names]}::text[])))`)
}

/** Of the software `s`: whether it is on a list, and why. */
export interface Listing {
  readonly isListed: RawBuilder<boolean | null>
  readonly reason: RawBuilder<string | null>
}

/** On how many assets each piece of forbidden software is; the list is the organisation's, the assets are those chosen. */
export async function* forbidden({ ctx, assetIds }: Chosen, { isListed, reason }: Listing): Rows {
  yield* readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select s.name as product, nullif(s.vendor, '') as vendor, nullif(s.version, '') as version,
      ${reason} as reason, count(distinct o.asset_id)::int as installed
    from software s
    join software_sets h on h.tenant_id = ${ctx.tenantId} and s.id = any(h.ids)
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = h.observation_id
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and ${reported(assetIds)}
    where s.tenant_id = ${ctx.tenantId} and s.installs > 0 and s.origin <> 'os' and ${isListed}
      and ${among(assetIds, 'o.asset_id')}
    group by s.id, s.name, s.vendor, s.version, s.normalized_name
    order by s.name collate "C", s.version collate "C", s.id`,
  )
}
