import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { isAmong, rowsOf, rowsWhere } from '#platform/database/limited-rows.ts'

/** What who sees only some assets sees of vulnerabilities: the findings on them, and counts of these. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  asset_risk_days: rowsOf(ctx, 'asset_risk_days', 'asset_id', 'assets.id'),
  asset_risks: rowsOf(ctx, 'asset_risks', 'asset_id', 'assets.id'),
  asset_weights: rowsOf(ctx, 'asset_weights', 'asset_id', 'assets.id'),
  findings: rowsOf(ctx, 'findings', 'asset_id', 'assets.id'),
  finding_attributions: rowsOf(ctx, 'finding_attributions', 'finding_id', 'findings.id'),
  finding_history: rowsOf(ctx, 'finding_history', 'finding_id', 'findings.id'),
  software_matches: rowsOf(ctx, 'software_matches', 'id', 'finding_attributions.match_id'),
  finding_overrides: rowsWhere(
    ctx,
    'finding_overrides',
    [
      // what is about other assets by a tag or a condition is told where it changes a finding that is seen
      sql`(${isAmong(ctx, 't.finding_id', 'findings.id')}
        or ${isAmong(ctx, 't.id', 'findings.override_id')} or ${isAmong(ctx, 't.id', 'findings.rating_override_id')}
        or t.finding_id is null and t.tag is null and t.condition is null
          and ${isAmong(ctx, 't.cve_id', 'findings.cve_id')})`,
    ],
    ['findings'],
  ),
  finding_settings: 'whole',
  matching_cursors: 'whole',
  finding_counts: {
    needs: ['findings'],
    rows: sql`select f.tenant_id, f.status, f.severity, f.score, count(*) as n from findings f
      where f.tenant_id = ${ctx.tenantId} and not f.is_archived
      group by f.tenant_id, f.status, f.severity, f.score`,
  },
  vulnerabilities: {
    needs: ['findings'],
    // by key, whatever number of rows the planner expects: an aggregate would be worked out again for each finding
    rows: sql`select v.tenant_id, v.cve_id, v.description, v.severity, v.score, v.is_scored, v.epss, v.kev_added_on,
        v.kev_due_on, (select count(*) from findings f where f.tenant_id = ${ctx.tenantId} and f.cve_id = v.cve_id
          and f.status = 'open' and not f.is_archived)::integer as affected_assets,
        v.ssvc_exploitation, v.ssvc_is_automatable, v.ssvc_impact
      from vulnerabilities v where v.tenant_id = ${ctx.tenantId} and exists (
        select from findings f where f.tenant_id = ${ctx.tenantId} and f.cve_id = v.cve_id offset 0)`,
  },
})
