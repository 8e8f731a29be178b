import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf, rowsWhere } from '#platform/database/limited-rows.ts'

/** Resources that are among the assets that the actor sees, and the connections that read them. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  cloud_resources: rowsWhere(
    ctx,
    'cloud_resources',
    [
      sql`exists (select from asset_observations o
        join sources s on s.tenant_id = ${ctx.tenantId} and s.id = o.source_id and s.kind = 'cloud'
        where o.tenant_id = ${ctx.tenantId} and s.key = t.connection_id::text
          and o.source_key = coalesce(nullif(t.machine_id, ''), t.native_id))`,
    ],
    ['asset_observations', 'sources'],
  ),
  cloud_costs: rowsOf(ctx, 'cloud_costs', 'resource_id', 'cloud_resources.id'),
  cloud_connections: rowsOf(ctx, 'cloud_connections', 'id', 'cloud_resources.connection_id'),
})
