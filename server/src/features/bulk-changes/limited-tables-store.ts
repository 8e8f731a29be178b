import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { isAmong, rowsWhere } from '#platform/database/limited-rows.ts'

/**
 * Changes that were started under the same condition, and what they are of: not what has left the condition since, but
 * what they deleted.
 */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  bulk_changes: rowsWhere(ctx, 'bulk_changes', [sql`t.limited_to = ${ctx.actor.limitedTo ?? null}::text`]),
  bulk_change_items: rowsWhere(
    ctx,
    'bulk_change_items',
    [
      isAmong(ctx, 't.change_id', 'bulk_changes.id'),
      sql`(${isAmong(ctx, 't.item_id', 'assets.id')} or ${isAmong(ctx, 't.item_id', 'findings.id')}
        or t.is_done and t.previous is not null and exists (select from bulk_changes o
          where o.tenant_id = ${ctx.tenantId} and o.id = t.change_id and o.verb = 'delete'))`,
    ],
    ['bulk_changes', 'assets', 'findings'],
  ),
})
