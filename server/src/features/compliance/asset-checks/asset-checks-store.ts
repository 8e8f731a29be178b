import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { isExcepted } from '../exceptions/excepted-store.ts'

export interface AssetResult {
  readonly checkId: string
  readonly outcome: 'failed' | 'unknown'
  readonly since: string
  readonly isExcepted: boolean
}

/** What the checks found of an asset that is not in order. */
export function resultsOfAsset(ctx: Ctx, assetId: string): Promise<AssetResult[]> {
  return ctx.db.all(sql<AssetResult>`
    select r.check_id as "checkId", case r.outcome when 'f' then 'failed' else 'unknown' end as outcome, r.since,
      r.outcome = 'f' and ${isExcepted(ctx)} as "isExcepted"
    from compliance_results r where r.tenant_id = ${ctx.tenantId} and r.asset_id = ${assetId}`)
}
