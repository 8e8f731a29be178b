import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf, rowsWhere } from '#platform/database/limited-rows.ts'

/**
 * Reports that were made under the same condition; those of who sees more, or other assets, are not there. Counts of the
 * whole organisation neither. Prices and rates say nothing about single assets.
 */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  reports: rowsWhere(ctx, 'reports', [sql`t.limited_to = ${ctx.actor.limitedTo ?? null}::text`]),
  report_snapshots: rowsOf(ctx, 'report_snapshots', 'report_id', 'reports.id'),
  report_chunks: rowsOf(ctx, 'report_chunks', 'snapshot_id', 'report_snapshots.id'),
  inventory_days: rowsWhere(ctx, 'inventory_days', [sql`false`]),
  budget_settings: 'whole',
  exchange_rates: 'whole',
  replacement_prices: 'whole',
  report_settings: 'whole',
})
