import { sql } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Cell } from '../dataset/dataset.ts'
import { among } from './asset-rows-store.ts'
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
  join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and a.archived_at is null
  where h.tenant_id = ${ctx.tenantId} and not (s.origin = any(${partsOfSystems}::text[]))
    and ${among(assetIds, 'o.asset_id')}`

/** On how many assets each product is, in whatever version. */
export function products(collecting: Collecting): Rows {
  return readByCursor(
    collecting.ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select i.name as product, nullif(max(i.vendor), '') as vendor, count(distinct i.asset_id) as installed
    from (${installed(collecting)}) i group by i.name
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
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.os <> '' and ${among(assetIds, 'a.id')}
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
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and ${among(assetIds, 'a.id')} and (
      a.os = any(${[...of.systems]}::text[])
      or a.id in (select i.asset_id from (${installed({ ctx, assetIds })}) i
        where i.name = any(${[...of.names]}::text[])))`)
}
