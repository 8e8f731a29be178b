import { sql } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Cell } from '../dataset/dataset.ts'
import { among, reported } from '../kinds/asset-rows-store.ts'
import { sited } from '../kinds/inventory-summary-store.ts'
import type { Collecting } from '../kinds/kind.ts'

export interface Link extends Readonly<Record<string, Cell>> {
  readonly a_id: string
  readonly a: string
  /** Null: the other end is no known asset. */
  readonly b_id: string | null
  readonly b: string
  readonly kind: string
  readonly a_type: string
  readonly b_type: string | null
  readonly a_site: string | null
  readonly b_site: string | null
  readonly vlan: string | null
  readonly bits_per_second: number | null
}

/** What sources reported and people recorded between living assets; both ends are chosen, or one where the other is no asset. */
export function links(collecting: Collecting): AsyncIterable<readonly Link[]> {
  const { ctx, assetIds } = collecting
  const { tenantId } = ctx
  return readByCursor(
    ctx.db,
    sql<Link>`
    with sited as materialized (${sited(collecting)})
    select found.*, coalesce(nullif(a.device_type, 'unknown'), a.asset_type) as a_type,
      coalesce(nullif(b.device_type, 'unknown'), b.asset_type) as b_type, sa.site as a_site, sb.site as b_site
    from (
      select a.id as a_id, a.name as a, nullif(l.a_port, '') as a_port, b.id as b_id, coalesce(b.name, l.b_text) as b,
        nullif(l.b_port, '') as b_port, l.kind, l.vlan::text as vlan, coalesce(o.source_kind, 'reported') as evidence,
        l.first_seen, l.last_seen, l.bits_per_second::float8 as bits_per_second
      from topology_links l
      join assets a on a.tenant_id = ${tenantId} and a.id = l.a_asset
      left join assets b on b.tenant_id = ${tenantId} and b.id = l.b_asset
      left join asset_observations o on o.tenant_id = ${tenantId} and o.id = l.observation_id
      where l.tenant_id = ${tenantId} and ${among(assetIds, 'l.a_asset')}
        and (l.b_asset is null or ${among(assetIds, 'l.b_asset')})
        and a.archived_at is null and b.archived_at is null
      union all
      select a.id, a.name, null, b.id, b.name, null, r.kind, null, 'recorded', r.created_at, null, null
      from asset_relations r
      join assets a on a.tenant_id = ${tenantId} and a.id = r.from_id
      join assets b on b.tenant_id = ${tenantId} and b.id = r.to_id
      where r.tenant_id = ${tenantId} and ${among(assetIds, 'r.from_id')} and ${among(assetIds, 'r.to_id')}
        and a.archived_at is null and b.archived_at is null
    ) found
    join assets a on a.tenant_id = ${tenantId} and a.id = found.a_id
    left join assets b on b.tenant_id = ${tenantId} and b.id = found.b_id
    left join sited sa on sa.asset_id = found.a_id
    left join sited sb on sb.asset_id = found.b_id
    order by found.a collate "C", found.a_port collate "C" nulls first, found.kind collate "C", found.b collate "C",
      found.a_id, found.b_id nulls last, found.b_port collate "C" nulls first, found.vlan nulls first,
      found.evidence collate "C", found.first_seen, found.last_seen nulls first`,
  )
}

export const UNPLACED_MAX = 5_000

/** Devices without a link to anything that is not archived. */
export function unplaced({
  ctx,
  assetIds,
}: Collecting): AsyncIterable<readonly Readonly<Record<string, Cell>>[]> {
  const { tenantId } = ctx
  return readByCursor(
    ctx.db,
    sql<Readonly<Record<string, Cell>>>`
    select a.name, coalesce(a.device_type, 'unknown') as device_type, nullif(a.ip_address, '') as ip, a.last_seen
    from assets a
    where a.tenant_id = ${tenantId} and ${reported(assetIds)}
      and a.asset_type in ('device', 'hypervisor', 'virtual_machine', 'ot_device')
      and not exists (
        select from topology_links l left join assets b on b.tenant_id = ${tenantId} and b.id = l.b_asset
        where l.tenant_id = ${tenantId} and l.a_asset = a.id and b.archived_at is null)
      and not exists (
        select from topology_links l join assets b on b.tenant_id = ${tenantId} and b.id = l.a_asset
        where l.tenant_id = ${tenantId} and l.b_asset = a.id and b.archived_at is null)
      and not exists (
        select from asset_relations r join assets b on b.tenant_id = ${tenantId} and b.id = r.to_id
        where r.tenant_id = ${tenantId} and r.from_id = a.id and b.archived_at is null)
      and not exists (
        select from asset_relations r join assets b on b.tenant_id = ${tenantId} and b.id = r.from_id
        where r.tenant_id = ${tenantId} and r.to_id = a.id and b.archived_at is null)
    order by a.name collate "C", a.id limit ${UNPLACED_MAX}`,
  )
}
