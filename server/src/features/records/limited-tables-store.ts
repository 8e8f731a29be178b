import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf } from '#platform/database/limited-rows.ts'

/** Places, contracts and entitlements are the organisation's own words; who uses them are assets. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  asset_records: rowsOf(ctx, 'asset_records', 'asset_id', 'assets.id'),
  entitlement_uses: rowsOf(ctx, 'entitlement_uses', 'asset_id', 'assets.id'),
  contracts: 'whole',
  entitlements: 'whole',
  place_networks: 'whole',
  places: 'whole',
})
