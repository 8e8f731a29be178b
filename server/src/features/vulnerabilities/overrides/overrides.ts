import { record } from '#features/audit/audit.ts'
import { atomically, beyondLimit, isLimited, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import type { ListedFinding } from '../findings/finding.ts'
import { withinTime } from '#platform/conditions/with-condition.ts'
import { checkCondition } from './condition-scope-store.ts'
import { scopeOf, type NewOverride, type Override, type OverrideScope } from './override.ts'
import * as store from './override-store.ts'
import * as statusStore from '../findings/finding-status-store.ts'
import { isRatedAs, middleOf, toTenths } from '../severity.ts'
import { recomputeFindings } from '../findings/sync-findings.ts'

/** Overrides of findings: create, approve, end, list and preview. */

const REASON_LENGTH_MAX = 2_000
const NAME_LENGTH_MAX = 512
const CVE_LENGTH_MAX = 100
const PERSON = 'person'
const REAPPLIED_MAX = 1_000
const ONE = { limit: 1, offset: 0 }

/** The newest first. */
export function listOverrides(ctx: Ctx, page: Page, filter: store.OverrideFilter): Promise<Listed<Override>> {
  permit(ctx, 'overrides:read')
  return store.overrides(ctx, page, filter)
}

export async function getOverride(ctx: Ctx, id: string): Promise<Override> {
  permit(ctx, 'overrides:read')
  const found = isUuid(id) ? await store.override(ctx, id) : undefined
  if (!found) throw notFound('override')
  return found
}

/** Preview: open findings in the scope, the highest score first. Nothing is written. */
export async function previewOverride(
  ctx: Ctx,
  page: Page,
  scope: OverrideScope,
): Promise<Listed<ListedFinding>> {
  permit(ctx, 'overrides:read')
  await checkScope(ctx, scope)
  await requireFinding(ctx, scope)
  return scope.condition === undefined
    ? store.openInScope(ctx, page, scope)
    : withinTime(ctx, 'condition', (inner) => store.openInScope(inner, page, scope))
}

/**
 * The context for a change of an override. An actor who is limited to some assets changes those of single findings that
 * the actor sees, in a context without the limit; throws 404 for other findings, 403 for wider scopes.
 */
async function toOverride(ctx: Ctx, scope: OverrideScope): Promise<Ctx> {
  if (!isLimited(ctx)) return ctx
  if (scope.findingId === undefined)
    throw forbidden(
      'an override without a finding holds for all assets of the organisation: a role or key that is limited by a condition overrides single findings',
    )
  await requireFinding(ctx, scope)
  return beyondLimit(ctx)
}

/** In force at once, or after approval by a second person where the tenant requires it. */
export async function createOverride(ctx: Ctx, input: NewOverride): Promise<Override> {
  permit(ctx, 'overrides:write')
  await check(ctx, input)
  return atomically(await toOverride(ctx, input), async (inner) => {
    await statusStore.lockFindings(inner)
    await requireFinding(inner, input)
    const state = (await store.needsApproval(inner)) ? 'proposed' : 'active'
    return write(inner, input, { origin: PERSON, state })
  })
}

/** In the caller's transaction, under its lock. */
export async function write(
  ctx: Ctx,
  input: NewOverride,
  { origin, state }: Pick<store.AddedOverride, 'origin' | 'state'>,
): Promise<Override> {
  const id = newUuid(ctx.now())
  await store.add(ctx, { ...input, id, tenths: tenthsOf(input), origin, state })
  await record(ctx, 'override.created', { type: 'override', id }, { ...input, origin, state })
  if (state === 'active') await apply(ctx, id, input)
  return getOverride(ctx, id)
}

/** The approver must not be the author. */
export async function approveOverride(ctx: Ctx, id: string): Promise<Override> {
  permit(ctx, 'overrides:write')
  const whole = await toOverride(ctx, scopeOf(await getOverride(ctx, id)))
  return atomically(whole, async (inner) => {
    await statusStore.lockFindings(inner)
    const found = await getOverride(inner, id)
    if (found.state !== 'proposed')
      throw conflict(`the override is ${found.state}; only a proposed one is approved`)
    if (found.createdBy === inner.actor.id) throw forbidden('a second person approves it')
    await store.approve(inner, id)
    await record(inner, 'override.approved', { type: 'override', id }, { cveId: found.cveId })
    await apply(inner, id, scopeOf(found))
    return getOverride(inner, id)
  })
}

/** Its findings are recomputed without it. */
export async function endOverride(ctx: Ctx, id: string, reason: string): Promise<Override> {
  permit(ctx, 'overrides:write')
  if (reason.trim() === '' || reason.length > REASON_LENGTH_MAX)
    throw invalid('reason', `must have 1 to ${REASON_LENGTH_MAX} characters`)
  const whole = await toOverride(ctx, scopeOf(await getOverride(ctx, id)))
  return atomically(whole, async (inner) => {
    await statusStore.lockFindings(inner)
    const found = await getOverride(inner, id)
    if (found.state === 'ended') throw conflict('the override has ended already')
    return endInTransaction(inner, found, reason.trim())
  })
}

/** In the caller's transaction, under its lock. */
export async function endInTransaction(ctx: Ctx, found: Override, because: string): Promise<Override> {
  const { id } = found
  await store.end(ctx, id, because)
  await record(ctx, 'override.ended', { type: 'override', id }, { cveId: found.cveId, because })
  await apply(ctx, id, scopeOf(found), `the override ended: ${because}`)
  return getOverride(ctx, id)
}

/** Recomputes the findings of overrides by tag or condition, because what these ask about changes without an event. */
export async function reapplyOverridesByAsset(ctx: Ctx): Promise<void> {
  await atomically(ctx, async (inner) => {
    await statusStore.lockFindings(inner)
    for (const it of await store.byTagOrCondition(inner, REAPPLIED_MAX))
      await apply(inner, it.id, scopeOf(it), it.tag === null ? 'assets changed' : 'tags changed')
  })
}

export async function overridesNeedApproval(ctx: Ctx): Promise<boolean> {
  permit(ctx, 'overrides:read')
  return store.needsApproval(ctx)
}

/** Whether a second person has to approve overrides that are made from now on. */
export async function setOverridesNeedApproval(ctx: Ctx, needs: boolean): Promise<boolean> {
  permit(ctx, 'settings:write')
  await atomically(ctx, async (inner) => {
    const before = await store.needsApproval(inner)
    await store.setNeedsApproval(inner, needs)
    await record(
      inner,
      'override_settings.updated',
      { type: 'tenant', id: inner.tenantId },
      { before, after: needs },
    )
  })
  return needs
}

async function apply(ctx: Ctx, id: string, scope: OverrideScope, why = 'an override'): Promise<void> {
  await recomputeFindings(ctx, await store.findingsInScope(ctx, scope, id), why)
}

function tenthsOf({ kind, severity, cvssScore }: NewOverride): number | null {
  if (kind !== 'severity' || severity === undefined) return null
  return cvssScore === undefined ? middleOf(severity) : toTenths(cvssScore)
}

async function requireFinding(ctx: Ctx, { cveId, findingId }: OverrideScope): Promise<void> {
  if (findingId === undefined) return
  if ((await store.findingsInScope(ctx, { cveId, findingId }, null)).length === 0)
    throw notFound('vulnerability')
}

async function check(ctx: Ctx, input: NewOverride): Promise<void> {
  const { kind, severity, cvssScore, reason, expiresAt } = input
  if (reason.trim() === '' || reason.length > REASON_LENGTH_MAX)
    throw invalid('reason', `must have 1 to ${REASON_LENGTH_MAX} characters`)
  if (kind === 'severity' && severity === undefined)
    throw invalid('severity', 'is required for a severity override')
  if (kind !== 'severity' && (severity !== undefined || cvssScore !== undefined))
    throw invalid('severity', 'belongs to a severity override')
  if (cvssScore !== undefined && !(cvssScore >= 0 && cvssScore <= 10))
    throw invalid('cvssScore', 'must be 0 to 10')
  if (severity !== undefined && cvssScore !== undefined && !isRatedAs(toTenths(cvssScore), severity))
    throw invalid('cvssScore', `is not one of severity ${severity}`)
  if (expiresAt !== undefined && !(Date.parse(expiresAt) > ctx.now().getTime()))
    throw invalid('expiresAt', 'must lie in the future')
  await checkScope(ctx, input)
  if (input.condition !== undefined)
    await withinTime(ctx, 'condition', (inner) => store.openInScope(inner, ONE, input))
}

async function checkScope(ctx: Ctx, scope: OverrideScope): Promise<void> {
  const { cveId, findingId, package: name, version, tag, condition } = scope
  if (cveId.trim() === '' || cveId.length > CVE_LENGTH_MAX)
    throw invalid('cveId', 'must name a vulnerability')
  if (findingId !== undefined && !isUuid(findingId)) throw notFound('vulnerability')
  for (const [field, value] of Object.entries({ package: name, version, tag }))
    if (value !== undefined && (value === '' || value.length > NAME_LENGTH_MAX))
      throw invalid(field, `must have 1 to ${NAME_LENGTH_MAX} characters`)
  if (version !== undefined && name === undefined) throw invalid('version', 'needs a package')
  if (condition !== undefined) await checkCondition(ctx, condition)
}
