import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf } from '#platform/database/limited-rows.ts'

/** Changes of assets that are there and that the actor sees; of the others only how many there were is told, by gaps. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  asset_changes: rowsOf(ctx, 'asset_changes', 'asset_id', 'assets.id'),
  change_heads: 'whole',
})
