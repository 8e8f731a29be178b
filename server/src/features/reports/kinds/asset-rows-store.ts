import { sql, type RawBuilder } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Ctx } from '#platform/context.ts'
import type { Cell } from '../dataset/dataset.ts'

/** Limits a query to the assets that a report is of; `id` is the column with the asset's id. */
export const among = (ids: readonly string[] | undefined, id: string): RawBuilder<unknown> =>
  ids === undefined ? sql`true` : sql`${sql.ref(id)} = any(${[...ids]}::uuid[])`

/** Of the assets `a`: those that were chosen; the living ones where none were. */
export const reported = (chosen: readonly string[] | undefined): RawBuilder<unknown> =>
  chosen === undefined ? sql`a.archived_at is null` : among(chosen, 'a.id')

const isAssessed = sql`(o.has_software or r.asset_id is not null)`

/** A row of `assetRows`; days are YYYY-MM-DD. */
export interface AssetRow extends Readonly<Record<string, Cell>> {
  readonly ip: string | null
  readonly state: string | null
  readonly last_seen: string
  /** Where it is recorded to be. */
  readonly place_id: string | null
  /** What people set instead of what sources say, and what these say now, where the two differ. */
  readonly differs: string | null
}

/**
 * One row an asset, with the columns of the audit. Null: not collected, or not recorded. Risk and open findings are
 * unknown where nothing is known of the software.
 */
export function assetRows(
  { tenantId, db }: Ctx,
  assetIds: readonly string[] | undefined,
): AsyncIterable<readonly AssetRow[]> {
  return readByCursor(
    db,
    sql<AssetRow>`
    with observed as materialized (
      select o.asset_id, count(distinct o.source_id) as sources,
        max(coalesce(o.payload -> 'facts' ->> 'assetTag', '')) as asset_tag,
        bool_or(exists (select from software_sets s
          where s.tenant_id = ${tenantId} and s.observation_id = o.id)) as has_software
      from asset_observations o where o.tenant_id = ${tenantId} and ${among(assetIds, 'o.asset_id')}
      group by o.asset_id
    ),
    differing as materialized (
      select d.asset_id, string_agg(d.what, '; ' order by d.what collate "C") as differs from (
      select distinct v.asset_id, v.attribute || ' recorded ' || v.value || ', seen ' || seen.value as what
      from asset_overrides v
      join lateral (
        select o.payload ->> v.attribute as value from asset_observations o
        where o.tenant_id = ${tenantId} and o.asset_id = v.asset_id
        union all
        select i.value from asset_observations o
        join asset_identifiers i on i.tenant_id = ${tenantId} and i.observation_id = o.id
        where o.tenant_id = ${tenantId} and o.asset_id = v.asset_id and i.type = v.attribute and i.last_seen is null
      ) seen on seen.value <> '' and lower(seen.value) <> lower(v.value)
      where v.tenant_id = ${tenantId} and v.attribute in ('serial', 'model') and ${among(assetIds, 'v.asset_id')}
      ) d group by d.asset_id
    )
    select a.id, a.name, a.asset_type as type, coalesce(a.device_type, 'unknown') as device_type, p.owner, p.state,
      nullif(a.serial, '') as serial, nullif(o.asset_tag, '') as asset_tag, nullif(a.vendor, '') as vendor,
      nullif(a.model, '') as model, nullif(a.ip_address, '') as ip, nullif(a.mac_address, '') as mac,
      nullif(a.os, '') as os, a.first_seen, a.last_seen, o.sources, a.confidence,
      case when ${isAssessed} then a.risk_score end as risk,
      case when ${isAssessed} then coalesce(r.open_findings, 0) end as open_findings,
      p.purchased_on, p.price::text, p.currency, p.warranty_ends, p.place_id, d.differs
    from assets a
    left join observed o on o.asset_id = a.id
    left join differing d on d.asset_id = a.id
    left join asset_risks r on r.tenant_id = ${tenantId} and r.asset_id = a.id
    left join asset_records p on p.tenant_id = ${tenantId} and p.asset_id = a.id
    where a.tenant_id = ${tenantId} and ${reported(assetIds)}
    order by a.name collate "C", a.id`,
  )
}

/** Assets of which no source lists the software, so that risk and findings are not known. */
export async function countUnassessed(ctx: Ctx, assetIds: readonly string[] | undefined): Promise<number> {
  const { found } = await ctx.db.one(sql<{ found: number }>`
    select count(*) as found from assets a
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)} and not exists (
      select from asset_observations o
      join software_sets s on s.tenant_id = ${ctx.tenantId} and s.observation_id = o.id
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id)
      and not exists (select from asset_risks r where r.tenant_id = ${ctx.tenantId} and r.asset_id = a.id)`)
  return found
}
