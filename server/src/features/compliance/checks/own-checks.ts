import { record, difference } from '#features/audit/audit.ts'
import { withCondition } from '#platform/conditions/with-condition.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid, newUuid } from '#platform/uuid.ts'
import { assessableControlOf } from '../catalogue/catalogue.ts'
import { compileCheck } from '../evaluation/check-sql-store.ts'
import { enqueueEvaluation } from '../evaluation/evaluation-job.ts'
import { countAll, type Counts } from '../evaluation/result-store.ts'
import { noteVerdicts } from './check-change.ts'
import { removeSettings } from './check-setting-store.ts'
import { isTolerance, type Check, type CheckSeverity } from './check.ts'
import * as store from './check-store.ts'
import { restoreOriginal } from './copies.ts'

/** Checks that the organisation writes itself. */

const TITLE_LENGTH_MAX = 200
const NEXT_LENGTH_MAX = 2_000
const CONTROLS_MAX = 100

export interface CheckInput {
  readonly title: string
  /** A condition on assets; empty: all. */
  readonly scope: string
  readonly condition: string
  readonly severity: CheckSeverity
  readonly next: string
  /** Where it counts: `framework` is a slug. */
  readonly controls: readonly { readonly framework: string; readonly controlId: string }[]
  /** A number of assets, or a share such as `2%`. */
  readonly tolerance: string
}

/** Judged with the next round, which is asked for at once. */
export async function createCheck(ctx: Ctx, input: CheckInput): Promise<Check> {
  permit(ctx, 'compliance:write')
  await compileCheck(ctx, input)
  return atomically(ctx, async (inner) => {
    if ((await store.ownChecks(inner)).length >= store.OWN_CHECKS_MAX)
      throw invalid(
        'title',
        `is one too many: an organisation has at most ${store.OWN_CHECKS_MAX} checks of its own`,
      )
    const check = { ...checked(input), freshness: '', id: newUuid(inner.now()), revision: 1, isOwn: true }
    await noteVerdicts(inner, check.title, undefined, check)
    await store.add(inner, check)
    await record(inner, 'compliance_check.created', { type: 'compliance_check', id: check.id }, { ...input })
    await enqueueEvaluation(inner)
    return check
  })
}

/** In place of all that it said; a new revision of it. */
export async function updateCheck(ctx: Ctx, id: string, input: CheckInput): Promise<Check> {
  permit(ctx, 'compliance:write')
  await compileCheck(ctx, input)
  return atomically(ctx, async (inner) => {
    const before = await requireCheck(inner, id)
    const after = { ...before, ...checked(input), revision: before.revision + 1 }
    await noteVerdicts(inner, after.title, id, after)
    await store.update(inner, after)
    const subject = { type: 'compliance_check', id }
    await record(inner, 'compliance_check.updated', subject, {
      name: before.title,
      ...difference(before, after),
    })
    await enqueueEvaluation(inner)
    return after
  })
}

export async function deleteCheck(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'compliance:write')
  await atomically(ctx, async (inner) => {
    const check = await requireCheck(inner, id)
    const { title } = check
    await noteVerdicts(inner, title, id, null)
    await store.remove(inner, id)
    await restoreOriginal(inner, check)
    await removeSettings(inner, id)
    await record(inner, 'compliance_check.deleted', { type: 'compliance_check', id }, { name: title })
    await enqueueEvaluation(inner)
  })
}

/** What a check would find now; nothing is written. Takes 10 seconds at most. */
export function previewCheck(ctx: Ctx, check: Pick<Check, 'scope' | 'condition'>): Promise<Counts> {
  permit(ctx, 'compliance:read')
  permit(ctx, 'assets:read')
  return withCondition(ctx, { subject: 'asset', text: check.condition, field: 'condition' }, async (inner) =>
    countAll(inner, await compileCheck(inner, check)),
  )
}

async function requireCheck(ctx: Ctx, id: string): Promise<Check> {
  const found = isUuid(id) ? await store.ownCheck(ctx, id) : undefined
  if (!found) throw notFound('check')
  return found
}

function checked(input: CheckInput): Omit<Check, 'id' | 'revision' | 'isOwn' | 'freshness'> {
  const [title, next] = [input.title.trim(), input.next.trim()]
  if (title === '' || title.length > TITLE_LENGTH_MAX)
    throw invalid('title', `must have 1 to ${TITLE_LENGTH_MAX} characters`)
  if (next.length > NEXT_LENGTH_MAX) throw invalid('next', `must have at most ${NEXT_LENGTH_MAX} characters`)
  if (!isTolerance(input.tolerance)) throw invalid('tolerance', 'must be a number, or a share such as 2%')
  if (input.controls.length === 0 || input.controls.length > CONTROLS_MAX)
    throw invalid('controls', `must name 1 to ${CONTROLS_MAX} controls`)
  const controls: Record<string, string[]> = {}
  for (const { framework, controlId } of input.controls) {
    if (!assessableControlOf(framework, controlId))
      throw invalid('controls', `there is no ${controlId} in ${framework}`)
    const ids = (controls[framework] ??= [])
    if (!ids.includes(controlId)) ids.push(controlId)
  }
  const { scope, condition, severity, tolerance } = input
  return {
    title,
    next,
    scope: scope.trim(),
    condition: condition.trim(),
    severity,
    tolerance,
    controls,
  }
}
