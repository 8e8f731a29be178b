import { record } from '#features/audit/audit.ts'
import {
  frameworkId,
  frameworkOf,
  isAdopted,
  listAffectedAssets,
  listChecks,
  listControls,
} from '#features/compliance/compliance.ts'
import { emit } from '#features/events/events.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { organisationName } from '../generating/collecting-store.ts'
import { assessmentResultsOf, type AssessedCheck } from './oscal/assessment-results.ts'
import type { StatementFile } from './export-statement.ts'

/** Of each check, so that the file is bounded; counts are of all. */
const ASSETS_PER_CHECK = 200

/**
 * OSCAL assessment results of an adopted framework, as its checks found it last. 404, or 409 if nobody adopted it.
 * EXPORT_COMPLETED tells of it once it is made.
 */
export async function exportAssessment(ctx: Ctx, slug: string): Promise<StatementFile> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  const framework = frameworkOf(slug)
  if (!framework) throw notFound('framework')
  if (!(await isAdopted(ctx, slug))) throw conflict(`${framework.title} is not adopted`)
  const at = ctx.now().toISOString()
  const checks: AssessedCheck[] = []
  for (const check of await listChecks(ctx, slug)) {
    const { items } = await listAffectedAssets(ctx, { limit: ASSETS_PER_CHECK, offset: 0 }, check.id)
    checks.push({ ...check, affected: items })
  }
  const controls = (await listControls(ctx, slug)).filter(({ isHeading }) => !isHeading)
  const organisation = await organisationName(ctx)
  const { tenantId } = ctx
  const results = assessmentResultsOf({ tenantId, organisation, framework, at, controls, checks })
  const content = Buffer.from(`${JSON.stringify(results, null, 2)}\n`)
  const fileName = `assessment-${slug}-${at.slice(0, 'YYYY-MM-DD'.length)}.oscal.json`
  await atomically(ctx, async (inner) => {
    const payload = {
      export_id: newUuid(inner.now()),
      kind: 'compliance_report',
      format: 'oscal',
      completed_at: inner.now().toISOString(),
      row_count: controls.length,
      filename: fileName,
      resource_id: frameworkId(slug),
      framework: slug,
    }
    await emit(inner, [{ type: 'EXPORT_COMPLETED', payload }])
    await record(inner, 'framework.exported', { type: 'framework', id: slug }, { format: 'oscal' })
  })
  return { fileName, content }
}
