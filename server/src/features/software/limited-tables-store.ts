import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf } from '#platform/database/limited-rows.ts'

/** What who sees only some assets sees of software: what is installed on them, and how often there. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  software_sets: rowsOf(ctx, 'software_sets', 'observation_id', 'asset_observations.id'),
  software_changes: rowsOf(ctx, 'software_changes', 'observation_id', 'asset_observations.id'),
  software_systems: rowsOf(ctx, 'software_systems', 'observation_id', 'asset_observations.id'),
  software_list_entries: 'whole',
  software: {
    needs: ['software_sets'],
    rows: sql`select s.tenant_id, s.id, s.digest, s.origin, s.ecosystem, s.name, s.normalized_name, s.version, s.arch,
        s.source_name, s.source_version, s.vendor, s.purl, s.cpe, s.vendor_key, s.product_key, n.installs, s.first_seen,
        s.ends_on, s.is_end_decided
      from software s join (
        select each.id, count(*)::integer as installs from software_sets h cross join unnest(h.ids) as each(id)
        where h.tenant_id = ${ctx.tenantId} group by each.id) n on n.id = s.id
      where s.tenant_id = ${ctx.tenantId}`,
  },
})
