import { sql } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Cell } from '../dataset/dataset.ts'
import { among } from './asset-rows-store.ts'
import { partsOfSystems } from './audit/asset-details-store.ts'
import type { Collecting, Rows } from './kind.ts'

/** A row for each asset and each piece of software that it has. */
const installed = ({ ctx, assetIds }: Collecting) => sql`
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
