import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf, rowsWhere } from '#platform/database/limited-rows.ts'

/** Changes that were started under the same condition, and their assets. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  bulk_changes: rowsWhere(ctx, 'bulk_changes', [sql`t.limited_to = ${ctx.actor.limitedTo ?? null}::text`]),
  bulk_change_assets: rowsOf(ctx, 'bulk_change_assets', 'change_id', 'bulk_changes.id'),
})
