import { beyondLimit, isLimited, type Ctx } from '#platform/context.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Report, ReportType } from './report.ts'
import * as store from './store.ts'

/**
 * The context for a change of the report: without the actor's limit, because rows are locked and the audit log is
 * written. Throws 404 if the actor does not see the report.
 */
export async function toChangeReport(ctx: Ctx, id: string): Promise<Ctx> {
  if (!isUuid(id) || !(await store.report(ctx, id))) throw notFound('report')
  return beyondLimit(ctx)
}

/** Throws 403 for what cannot be told of some assets alone. */
export function refuseBeyondLimit(ctx: Ctx, type: ReportType): void {
  if (isLimited(ctx) && type === 'compliance_report')
    throw forbidden(
      'controls are judged over all assets of the organisation: a role or key that is limited by a condition cannot order a compliance report',
    )
}

/** Whether who is limited to these assets, or to none, may have the report. */
export const isSeenBy = ({ limitedTo }: Report, reader: { readonly limitedTo: string | null }): boolean =>
  reader.limitedTo === null || reader.limitedTo === limitedTo
