/** Compliance: frameworks whose controls are judged by checks over what is known of assets, with exceptions and attestations. */
import { record, signCheckpoint } from '#features/audit/audit.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { namedUuid } from '#platform/uuid.ts'
import * as store from './adoption-store.ts'
import { frameworkOf } from './catalogue/catalogue.ts'
import { evaluateAll } from './evaluation/evaluate-checks.ts'
import { enqueueEvaluation, enqueueInTurn } from './evaluation/evaluation-job.ts'
import { enqueueMonthlyEvidence } from './evidence/evidence.ts'
import { leaveFramework } from './evaluation/judge-controls.ts'

export type { Attestation } from './attestations/attestation-store.ts'
export type { ControlChange } from './evaluation/control-store.ts'
export { attestControl } from './attestations/attestations.ts'
export { createException } from './exceptions/exceptions.ts'
export type { AffectedAsset, Counts } from './evaluation/result-store.ts'
export {
  explainControl,
  listAffectedAssets,
  listChecks,
  listControls,
  listFrameworks,
  type ControlDetail,
  type FrameworkSummary,
} from './overview.ts'
export { listCheckPage, listControlPage, type ListedCheck } from './conditions/listed.ts'
export type { ControlSummary } from './known-controls.ts'
export type { JudgedCheck } from './judged-check.ts'

export { allChecks } from './checks/all-checks.ts'
export { attestationsEndingWithin } from './attestations/attestations.ts'
export { exceptionsEndingWithin, exceptionsToApprove, listExceptions } from './exceptions/exceptions.ts'
export { requireStatement, statementRows } from './statements/statements.ts'
export type { StatedControl } from './statements/stated-controls.ts'
export type { Statement } from './statements/statement.ts'
export { exportedTexts } from './texts/control-texts.ts'
export { frameworkOf, type Framework } from './catalogue/catalogue.ts'
export { reportControls, reportEvidence, reportFailures, reportStatements } from './report-rows.ts'
export {
  checksInForce,
  exceptedAmong,
  simulateControls,
  type CountChange,
  type SimulatedCheck,
  type SimulatedControl,
} from './simulated-controls.ts'

/** The namespace of their UUIDs. */
const FRAMEWORKS = '0c7a1f5e-8f57-4c39-9a55-3d1be7a3f0d4'

/** Its controls are judged from now on: the first round is asked for at once. Again changes nothing. */
export async function adoptFramework(ctx: Ctx, slug: string): Promise<void> {
  permit(ctx, 'compliance:write')
  const { title } = requireFramework(slug)
  await atomically(ctx, async (inner) => {
    if (!(await store.adopt(inner, slug))) return
    await record(inner, 'framework.adopted', { type: 'framework', id: slug }, { name: title })
    await enqueueEvaluation(inner)
  })
}

/** Its controls are no longer assessed, which events tell; their history stays. 404 where it is not adopted. */
export async function dropFramework(ctx: Ctx, slug: string): Promise<void> {
  permit(ctx, 'compliance:write')
  const { title } = requireFramework(slug)
  await atomically(ctx, async (inner) => {
    const adopted = await store.lockAdoptions(inner)
    if (!adopted.some(({ framework }) => framework === slug)) throw notFound('framework')
    await leaveFramework(inner, slug)
    await store.drop(inner, slug)
    await record(inner, 'framework.dropped', { type: 'framework', id: slug }, { name: title })
    await enqueueEvaluation(inner)
  })
}

export const isAdopted = async (ctx: Ctx, slug: string): Promise<boolean> =>
  (await store.adoptions(ctx)).some(({ framework }) => framework === slug)

/** A round over all checks of the tenant, now. */
export async function evaluateNow(ctx: Ctx): Promise<void> {
  permit(ctx, 'compliance:write')
  await evaluateAll(ctx)
}

/** Every tenant with an adopted framework is looked at, because time passes too. */
export async function enqueueRounds(system: Ctx): Promise<void> {
  for (const { id: tenantId } of await listTenants(system))
    await atomically({ ...system, tenantId }, async (inner) => {
      if ((await store.adoptions(inner)).length > 0) await enqueueInTurn(inner)
    })
}

/** Every control with a status has evidence of each month, whether or not it changed. */
export async function recordMonthlyEvidence(system: Ctx): Promise<void> {
  for (const { id: tenantId } of await listTenants(system))
    await atomically({ ...system, tenantId }, enqueueMonthlyEvidence)
}

/** The id of a framework, the same in every installation: for events. */
export const frameworkId = (slug: string): string => namedUuid(FRAMEWORKS, slug)

/** The log of every tenant gets its checkpoint of the day. */
export async function signCheckpoints(system: Ctx): Promise<void> {
  for (const { id: tenantId } of await listTenants(system)) await signCheckpoint({ ...system, tenantId })
}

function requireFramework(slug: string) {
  const framework = frameworkOf(slug)
  if (!framework) throw notFound('framework')
  return framework
}
