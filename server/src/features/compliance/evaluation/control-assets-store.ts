import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isExcepted, type ControlSql } from '../exceptions/excepted-store.ts'
import type { AffectedAsset } from './result-store.ts'

/**
 * Assets that any of the checks does not find in order, each once with the worst that was found: those that fail, then
 * those of which it is unknown; each by name. `isExcepted`: every failure of the asset is.
 */
export async function assetsNotInOrder(
  ctx: Ctx,
  { limit, offset }: Page,
  { checkIds, control }: { readonly checkIds: readonly string[]; readonly control: ControlSql },
): Promise<Listed<AffectedAsset>> {
  const of = sql`r.tenant_id = ${ctx.tenantId} and r.check_id = any(${[...checkIds]}::text[])`
  const items = await ctx.db.all(sql<AffectedAsset>`
    with found as materialized (
      select r.asset_id, a.name, min(r.outcome::text) as outcome
      from compliance_results r join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id
      where ${of} group by r.asset_id, a.name
      order by 3, 2, 1 limit ${limit} offset ${offset}
    )
    select f.asset_id as "assetId", f.name, case f.outcome when 'f' then 'failed' else 'unknown' end as outcome,
      min(r.since) as since, f.outcome = 'f' and bool_and(${isExcepted(ctx, control)}) as "isExcepted"
    from found f join compliance_results r on r.asset_id = f.asset_id and r.outcome::text = f.outcome and ${of}
    group by f.asset_id, f.name, f.outcome order by f.outcome, f.name, f.asset_id`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(distinct r.asset_id) as total
    from compliance_results r join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id where ${of}`)
  return { items, total }
}
