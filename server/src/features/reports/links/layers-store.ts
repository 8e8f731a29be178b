import { sql } from 'kysely'
import { readByCursor, WIDE_ROWS_AT_ONCE } from '#platform/database/cursor.ts'
import { reported } from '../kinds/asset-rows-store.ts'
import { sited } from '../kinds/inventory-summary-store.ts'
import type { Collecting } from '../kinds/kind.ts'

/** What living assets tell of VLANs and of the addresses of their interfaces, as it was sent. */
export interface ToldLayers {
  readonly asset_id: string
  readonly asset: string
  readonly type: string
  readonly site: string | null
  readonly vlans: unknown
  /** Those with addresses. */
  readonly interfaces: unknown
}

export function toldLayers(collecting: Collecting): AsyncIterable<readonly ToldLayers[]> {
  const { ctx, assetIds } = collecting
  return readByCursor(
    ctx.db,
    sql<ToldLayers>`
    with sited as materialized (${sited(collecting)})
    select a.id as asset_id, a.name as asset, coalesce(nullif(a.device_type, 'unknown'), a.asset_type) as type, s.site,
      o.payload->'facts'->'vlans' as vlans,
      jsonb_path_query_array(o.payload, 'lax $.facts.interfaces[*] ? (exists (@.addresses))') as interfaces
    from asset_observations o
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id
    left join sited s on s.asset_id = a.id
    where o.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}
      and o.payload->'facts' ?| array['vlans', 'interfaces']
    order by a.name collate "C", a.id, o.id`,
    WIDE_ROWS_AT_ONCE,
  )
}

/** The address of each living asset that has one. */
export function addresses({
  ctx,
  assetIds,
}: Collecting): AsyncIterable<readonly { readonly address: string }[]> {
  return readByCursor(
    ctx.db,
    sql<{ address: string }>`
    select a.ip_address as address from assets a
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)} and a.ip_address <> ''`,
  )
}
