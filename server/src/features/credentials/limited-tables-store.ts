import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsWhere } from '#platform/database/limited-rows.ts'

/** Who sees only some assets sees the host keys of their addresses; the vault is closed. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  host_keys: rowsWhere(
    ctx,
    'host_keys',
    [sql`exists (select from assets o where o.tenant_id = ${ctx.tenantId} and t.address = any(o.addresses))`],
    ['assets'],
  ),
})
