import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf } from '#platform/database/limited-rows.ts'

/**
 * Places, contracts and entitlements are the organisation's own words; who uses them are assets. Files of contracts are
 * not there for who sees only some assets.
 */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  asset_records: rowsOf(ctx, 'asset_records', 'asset_id', 'assets.id'),
  attachments: rowsOf(ctx, 'attachments', 'asset_id', 'assets.id'),
  attachment_chunks: rowsOf(ctx, 'attachment_chunks', 'attachment_id', 'attachments.id'),
  entitlement_uses: rowsOf(ctx, 'entitlement_uses', 'asset_id', 'assets.id'),
  contracts: 'whole',
  entitlements: 'whole',
  place_networks: 'whole',
  places: 'whole',
})
