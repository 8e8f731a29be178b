import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { paperNames, type PaperName } from './paper-name.ts'
import * as store from './paper-store.ts'

/** On which paper the tenant's reports are printed. */
export function reportPaper(ctx: Ctx): Promise<PaperName> {
  permit(ctx, 'reports:read')
  return store.paper(ctx)
}

/** From the next generation on: files that were made stay as they are. */
export async function setReportPaper(ctx: Ctx, wanted: string): Promise<PaperName> {
  permit(ctx, 'reports:write')
  const after = paperNames.find((it) => it === wanted)
  if (!after) throw invalid('paper', `must be one of ${paperNames.join(', ')}`)
  return atomically(ctx, async (inner) => {
    const before = await store.paper(inner)
    if (before === after) return after
    await store.savePaper(inner, after)
    await record(inner, 'report.paper', { type: 'tenant', id: ctx.tenantId }, { before, after })
    return after
  })
}
