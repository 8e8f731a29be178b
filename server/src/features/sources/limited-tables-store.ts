import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf } from '#platform/database/limited-rows.ts'

/** Sources that report one of the assets that the actor sees. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  sources: rowsOf(ctx, 'sources', 'id', 'asset_observations.source_id'),
})
