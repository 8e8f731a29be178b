import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsWhere } from '#platform/database/limited-rows.ts'

/** Reports and counts of the whole organisation are not there for who sees only some of its assets. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> =>
  Object.fromEntries(
    ['reports', 'report_snapshots', 'report_chunks', 'inventory_days'].map((name) => [
      name,
      rowsWhere(ctx, name, [sql`false`]),
    ]),
  )
