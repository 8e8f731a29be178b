import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { rowsOf } from '#platform/database/limited-rows.ts'

/**
 * What checks found of the assets that the actor sees. Controls are judged over all assets of the organisation, so their
 * statuses, counts, exceptions, evidence and statements are not there.
 */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  compliance_results: rowsOf(ctx, 'compliance_results', 'asset_id', 'assets.id'),
  compliance_check_settings: 'whole',
  compliance_checks: 'whole',
})
