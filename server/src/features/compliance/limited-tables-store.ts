import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { isAmong, rowsOf, rowsWhere } from '#platform/database/limited-rows.ts'
import { isExcepted } from './exceptions/excepted-store.ts'

/**
 * What checks found of the assets that the actor sees, with counts of these alone, and the exceptions that can cover them.
 * Controls are judged over all assets of the organisation, so their statuses, evidence and statements are not there.
 */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  compliance_adoptions: 'whole',
  compliance_check_settings: 'whole',
  compliance_checks: 'whole',
  compliance_settings: 'whole',
  compliance_assets: rowsOf(ctx, 'compliance_assets', 'asset_id', 'assets.id'),
  compliance_results: rowsOf(ctx, 'compliance_results', 'asset_id', 'assets.id'),
  compliance_exceptions: exceptionsSeen(ctx),
  compliance_scopes: scopesSeen(ctx),
  compliance_check_states: statesSeen(ctx),
})

/** One of all assets says nothing of single ones; one of a tag or a condition is seen where a visible asset has it. */
const exceptionsSeen = (ctx: Ctx): LimitedTable =>
  rowsWhere(
    ctx,
    'compliance_exceptions',
    [
      sql`(${isAmong(ctx, 't.asset_id', 'assets.id')} or t.asset_id is null and (t.tag is null or exists (
        select from assets o where o.tenant_id = ${ctx.tenantId} and o.tags @> array[t.tag]))
        and (t.condition is null or exists (
          select from compliance_assets c join compliance_scopes s on s.tenant_id = ${ctx.tenantId}
            and s.number = any(c.scopes) and s.scope = t.condition
          where c.tenant_id = ${ctx.tenantId})))`,
    ],
    ['assets', 'compliance_assets', 'compliance_scopes'],
  )

const scopesSeen = ({ tenantId }: Ctx): LimitedTable => ({
  needs: ['compliance_assets'],
  rows: sql`
    select s.tenant_id, s.number, s.scope, coalesce(n.assets, 0) as assets
    from compliance_scopes s left join (
      select each.number, count(*) as assets from compliance_assets c cross join unnest(c.scopes) as each (number)
      where c.tenant_id = ${tenantId} group by each.number) n on n.number = s.number
    where s.tenant_id = ${tenantId}`,
})

const statesSeen = (ctx: Ctx): LimitedTable => ({
  needs: ['compliance_results', 'compliance_exceptions', 'compliance_assets', 'compliance_scopes', 'assets'],
  rows: sql`
    select c.tenant_id, c.check_id, coalesce(n.failed, 0) as failed, coalesce(n.unknown, 0) as unknown,
      coalesce(n.excepted, 0) as excepted, c.revision, c.judged_at, c.fault, c.scope_number
    from compliance_check_states c left join (
      select r.check_id, count(*) filter (where r.outcome = 'f') as failed,
        count(*) filter (where r.outcome = 'u') as unknown,
        count(*) filter (where r.outcome = 'f' and ${isExcepted(ctx)}) as excepted
      from compliance_results r where r.tenant_id = ${ctx.tenantId} group by r.check_id) n on n.check_id = c.check_id
    where c.tenant_id = ${ctx.tenantId}`,
})
