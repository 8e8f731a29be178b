import { record } from '#features/audit/audit.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { newUuid } from '#platform/uuid.ts'
import { adoptions, lockAdoptions } from '../adoption-store.ts'
import { frameworkOf, type Control, type Framework } from '../catalogue/catalogue.ts'
import type { StatementRow } from './statement.ts'
import * as store from './statement-store.ts'

/** How the next version of a statement begins. */

/**
 * Within a transaction: with the rows of the one that is approved, else with a row for each control. Controls that the
 * approved one lacks, because the framework has changed since, are marked. 409 where one is being written.
 */
export async function beginDraft(ctx: Ctx, { slug, controls }: Framework): Promise<string> {
  if (!(await lockAdoptions(ctx)).some((it) => it.framework === slug))
    throw invalid('framework', 'must be adopted first')
  const all = await store.statements(ctx, slug)
  const open = all.find(({ state }) => state === 'draft' || state === 'in_review')
  if (open) throw conflict(`version ${open.version} is ${open.state}; there is one at a time`)
  const before = all.find(({ state }) => state === 'approved')
  const known = new Map((before ? await store.rows(ctx, before.id) : []).map((row) => [row.controlId, row]))
  const id = newUuid(ctx.now())
  const version = (all[0]?.version ?? 0) + 1
  await store.add(ctx, { id, framework: slug, version })
  await store.writeRows(
    ctx,
    id,
    stated(controls).map((control) => known.get(control.id) ?? emptyRow(control, before !== undefined)),
  )
  await record(
    ctx,
    'compliance_statement.created',
    { type: 'compliance_statement', id },
    { framework: slug, version },
  )
  return id
}

/**
 * For each adopted framework whose approved statement has other controls than the framework has now: a draft, unless
 * one is being written. The approved one stays in force until the draft is approved.
 */
export async function draftForChangedFrameworks(ctx: Ctx): Promise<void> {
  for (const { framework: slug } of await adoptions(ctx)) {
    const framework = frameworkOf(slug)
    if (!framework) continue
    await atomically(ctx, async (inner) => {
      await lockAdoptions(inner)
      const all = await store.statements(inner, slug)
      const approved = all.find(({ state }) => state === 'approved')
      if (!approved || all.some(({ state }) => state === 'draft' || state === 'in_review')) return
      const rows = new Set((await store.rows(inner, approved.id)).map(({ controlId }) => controlId))
      const now = stated(framework.controls)
      const isSame = rows.size === now.length && now.every(({ id }) => rows.has(id))
      if (!isSame) await beginDraft(inner, framework)
    })
  }
}

const stated = (controls: readonly Control[]): Control[] => controls.filter(({ isHeading }) => !isHeading)

const emptyRow = ({ id }: Control, isNew: boolean): StatementRow => ({
  controlId: id,
  isApplicable: true,
  justification: '',
  implementation: '',
  owner: '',
  measures: '',
  evidence: '',
  risks: '',
  reviewedOn: '',
  nextReviewOn: '',
  isNew,
})
