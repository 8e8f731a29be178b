import { createHash } from 'node:crypto'
import { canonicalJson, proofOf, record, type Proof } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { lockAdoptions } from '../adoption-store.ts'
import { frameworkOf } from '../catalogue/catalogue.ts'
import { judgeControls } from '../evaluation/judge-controls.ts'
import { beginDraft } from './drafts.ts'
import { readPasted, requireValid, ROWS_MAX, type RowChange } from './pasted-rows.ts'
import { differences, type RowDifference, type Statement, type StatementRow } from './statement.ts'
import { freeze, statedControls, type StatedControl } from './stated-controls.ts'
import * as store from './statement-store.ts'

/**
 * Statements of applicability: draft, in review, approved, superseded. What an approved one excludes is not applicable;
 * what is only written is not.
 */

const ROLE_LENGTH_MAX = 200

/** The newest of each framework first; of one alone if given. */
export function listStatements(ctx: Ctx, framework: string | null = null): Promise<Statement[]> {
  permit(ctx, 'compliance:read')
  return store.statements(ctx, framework)
}

/** With the rows of the one that is approved, else with a row for each control. 409 where one is being written. */
export async function draftStatement(ctx: Ctx, slug: string): Promise<Statement> {
  permit(ctx, 'compliance:write')
  const framework = frameworkOf(slug)
  if (!framework) throw notFound('framework')
  return atomically(ctx, async (inner) => requireStatement(inner, await beginDraft(inner, framework)))
}

/** Rows of a draft from a spreadsheet: all or none. Answers how many changed. */
export async function pasteRows(ctx: Ctx, id: string, text: string): Promise<number> {
  permit(ctx, 'compliance:write')
  return changeRows(ctx, id, { changes: readPasted(text), field: 'rows' })
}

/** The same change of some rows of a draft: all or none. Answers how many changed. */
export async function editRows(ctx: Ctx, id: string, { controlIds, ...change }: RowsEdit): Promise<number> {
  permit(ctx, 'compliance:write')
  if (controlIds.length === 0 || controlIds.length > ROWS_MAX)
    throw invalid('controlIds', `must name 1 to ${ROWS_MAX} controls`)
  requireValid(change)
  const changes = controlIds.map((controlId) => ({ ...change, controlId }))
  return changeRows(ctx, id, { changes, field: 'controlIds' })
}

/** What is absent stays as it is. */
export interface RowsEdit extends Partial<Omit<StatementRow, 'controlId'>> {
  readonly controlIds: readonly string[]
}

async function changeRows(
  ctx: Ctx,
  id: string,
  { changes, field }: { readonly changes: readonly RowChange[]; readonly field: 'rows' | 'controlIds' },
): Promise<number> {
  return atomically(ctx, async (inner) => {
    const { framework } = await requireState(inner, id, 'draft')
    const known = new Map((await store.rows(inner, id)).map((row) => [row.controlId, row]))
    const changed = changes.map((change) => {
      const row = known.get(change.controlId)
      if (!row) throw invalid(field, `there is no control ${change.controlId} in ${framework}`)
      return { ...row, ...change, isNew: false }
    })
    await store.writeRows(inner, id, [...new Map(changed.map((row) => [row.controlId, row])).values()])
    const count = differences([...known.values()], [...known.values(), ...changed]).length
    await record(inner, 'compliance_statement.edited', subjectOf({ id }), { framework, rows: count })
    return count
  })
}

/** For review by a second person. Each row says why its control is included or excluded. */
export async function submitStatement(ctx: Ctx, id: string): Promise<Statement> {
  permit(ctx, 'compliance:write')
  return atomically(ctx, async (inner) => {
    const { framework } = await requireState(inner, id, 'draft')
    const bare = (await store.rows(inner, id)).filter(({ justification }) => justification === '')
    if (bare.length > 0) {
      const some = bare.slice(0, 10).map(({ controlId }) => controlId)
      throw invalid('justification', `is missing of ${bare.length} controls: ${some.join(', ')} …`)
    }
    await store.submit(inner, id)
    await record(inner, 'compliance_statement.submitted', subjectOf({ id }), { framework })
    return requireStatement(inner, id)
  })
}

/** Back to its authors. */
export async function returnStatement(ctx: Ctx, id: string): Promise<Statement> {
  permit(ctx, 'compliance:write')
  return atomically(ctx, async (inner) => {
    const { framework } = await requireState(inner, id, 'in_review')
    await store.setState(inner, id, 'draft')
    await record(inner, 'compliance_statement.returned', subjectOf({ id }), { framework })
    return requireStatement(inner, id)
  })
}

/** By another person than the one who submitted it. What it excludes is not applicable from this commit on. */
export async function approveStatement(ctx: Ctx, id: string, role: string): Promise<Statement> {
  permit(ctx, 'statements:approve')
  if (role.trim() === '' || role.length > ROLE_LENGTH_MAX)
    throw invalid('role', `must have 1 to ${ROLE_LENGTH_MAX} characters`)
  return atomically(ctx, async (inner) => {
    await lockAdoptions(inner)
    const found = await requireState(inner, id, 'in_review')
    if (found.submittedBy === inner.actor.id) throw forbidden('a second person approves it')
    // first, so that the statuses that are frozen are those that it leads to
    await store.putInForce(inner, found)
    await judgeControls(inner)
    const document = await freeze(inner, found, role.trim())
    const content = Buffer.from(canonicalJson(document))
    const sha256 = createHash('sha256').update(content).digest('hex')
    await store.approve(inner, found, { role: role.trim(), digest: sha256, content })
    await record(inner, 'compliance_statement.approved', subjectOf({ id }), {
      framework: found.framework,
      version: found.version,
      role: role.trim(),
      sha256,
    })
    await judgeControls(inner)
    return requireStatement(inner, id)
  })
}

/** In the order of the framework. */
export async function statementRows(ctx: Ctx, id: string): Promise<StatedControl[]> {
  permit(ctx, 'compliance:read')
  return statedControls(ctx, await requireStatement(ctx, id))
}

/** From an earlier statement of the same framework to a later one. */
export async function compareStatements(ctx: Ctx, before: string, after: string): Promise<RowDifference[]> {
  permit(ctx, 'compliance:read')
  const [old, now] = [await requireStatement(ctx, before), await requireStatement(ctx, after)]
  if (old.framework !== now.framework) throw invalid('after', 'must be of the same framework')
  return differences(await statedControls(ctx, old), await statedControls(ctx, now))
}

/** An approved statement as a file that `rollcall verify` checks. */
export async function statementProof(ctx: Ctx, id: string): Promise<Proof> {
  permit(ctx, 'compliance:read')
  const found = await requireStatement(ctx, id)
  const content = await store.content(ctx, id)
  if (!content || found.digest === null) throw conflict('only an approved statement is proved')
  const document = JSON.parse(content.toString('utf8')) as unknown
  return proofOf(ctx, 'statement', { document, digest: found.digest, subject: subjectOf(found) })
}

const subjectOf = ({ id }: Pick<Statement, 'id'>) => ({ type: 'compliance_statement', id })

export function getStatement(ctx: Ctx, id: string): Promise<Statement> {
  permit(ctx, 'compliance:read')
  return requireStatement(ctx, id)
}

/** 404 for one that is not there. */
export async function requireStatement(ctx: Ctx, id: string): Promise<Statement> {
  const found = isUuid(id) ? await store.statement(ctx, id) : undefined
  if (!found) throw notFound('statement')
  return found
}

async function requireState(ctx: Ctx, id: string, state: 'draft' | 'in_review'): Promise<Statement> {
  if (isUuid(id)) await store.lockStatement(ctx, id)
  const found = await requireStatement(ctx, id)
  if (found.state !== state)
    throw state === 'draft'
      ? conflict('only a draft is changed and submitted; this statement is none')
      : conflict('only a statement in review is returned or approved; this one is not in review')
  return found
}
