import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { isAmong, rowsOf, rowsWhere } from '#platform/database/limited-rows.ts'

/** What who sees only some assets sees of the tables around them. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  asset_observations: rowsOf(ctx, 'asset_observations', 'asset_id', 'assets.id'),
  asset_search: rowsOf(ctx, 'asset_search', 'asset_id', 'assets.id'),
  asset_identifiers: rowsOf(ctx, 'asset_identifiers', 'observation_id', 'asset_observations.id'),
  asset_constraints: ofBothObservations(ctx, 'asset_constraints'),
  asset_candidates: ofBothObservations(ctx, 'asset_candidates'),
  asset_merge_suggestions: rowsWhere(
    ctx,
    'asset_merge_suggestions',
    ['t.asset_a', 't.asset_b'].map((each) => isAmong(ctx, each, 'assets.id')),
    ['assets'],
  ),
  asset_shared_values: rowsWhere(
    ctx,
    'asset_shared_values',
    [
      sql`exists (select from asset_identifiers o
        where o.tenant_id = ${ctx.tenantId} and o.type = t.type and o.value = t.value)`,
    ],
    ['asset_identifiers'],
  ),
  asset_remembered_names: rowsWhere(
    ctx,
    'asset_remembered_names',
    [
      sql`exists (select from asset_observations o
        join asset_identifiers i on i.tenant_id = ${ctx.tenantId} and i.observation_id = o.id and i.type = 'hostname'
        where o.tenant_id = ${ctx.tenantId} and o.scope = t.scope
          and (i.value = t.name or starts_with(i.value, t.name || '.')))`,
    ],
    ['asset_observations', 'asset_identifiers'],
  ),
  asset_aliases: rowsOf(ctx, 'asset_aliases', 'asset_id', 'assets.id'),
  asset_overrides: rowsOf(ctx, 'asset_overrides', 'asset_id', 'assets.id'),
  asset_custom_fields: 'whole',
  asset_groups: 'whole',
  asset_custom_values: rowsOf(ctx, 'asset_custom_values', 'asset_id', 'assets.id'),
  asset_archive_rules: 'whole',
  asset_counts: {
    needs: ['assets'],
    rows: sql`select a.tenant_id, a.asset_type, count(*) as n from assets a
      where a.tenant_id = ${ctx.tenantId} and a.archived_at is null group by a.tenant_id, a.asset_type`,
  },
  asset_observation_counts: {
    needs: ['asset_observations'],
    rows: sql`select o.tenant_id, o.source_id, count(*) as n from asset_observations o
      where o.tenant_id = ${ctx.tenantId} group by o.tenant_id, o.source_id`,
  },
})

const ofBothObservations = (ctx: Ctx, table: string): LimitedTable =>
  rowsWhere(
    ctx,
    table,
    ['t.a', 't.b'].map((each) => isAmong(ctx, each, 'asset_observations.id')),
    ['asset_observations'],
  )
