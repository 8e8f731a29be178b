import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'

/** Flows are the organisation's words. When one ran last, and how often it failed, tells of assets that it ran for. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  flows: {
    needs: [],
    rows: sql`select f.tenant_id, f.id, f.name, f.normalized_name, f.description, f.enabled, f.paused_reason, f.trigger_kind,
        f.published_version, null::timestamptz as last_triggered_at, 0 as failures_in_a_row, f.next_at, f.archived_at,
        f.created_at, f.updated_at, f.members_since
      from flows f where f.tenant_id = ${ctx.tenantId}`,
  },
  flow_versions: 'whole',
})
