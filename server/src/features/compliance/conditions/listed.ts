import { inOrder, subjectPage, type ListQuery } from '#platform/conditions/lists/subject-page.ts'
import { permit, type Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { controlOfKey, keyOf, titleOfFramework, type Control } from '../catalogue/catalogue.ts'
import { allChecks } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { states } from '../evaluation/result-store.ts'
import { judgedCheck, type JudgedCheck } from '../judged-check.ts'
import { knownOf, readAll, summaryOf, type ControlSummary, type Known } from '../known-controls.ts'

/** Checks and controls of all frameworks, as lists that conditions narrow and fields order. */

export interface ListedCheck extends JudgedCheck {
  /** Titles of the frameworks that it counts for. */
  readonly frameworks: readonly string[]
}

/** What fails first, the worst severity first, unless another order is asked for. Throws 400 naming `where` or `sort`. */
export async function listCheckPage(ctx: Ctx, page: Page, query: ListQuery): Promise<Listed<ListedCheck>> {
  permit(ctx, 'compliance:read')
  const { items: ids, total } = await subjectPage(ctx, { ...query, subject: 'check', usual: 'status' }, page)
  const wanted = new Set(ids)
  const found = new Map((await states(ctx)).map((it) => [it.checkId, it]))
  const rows = (await allChecks(ctx))
    .filter(({ id }) => wanted.has(id))
    .map((check) => ({
      ...judgedCheck(check, found.get(check.id), { controlIds: controlIdsOf(check), now: ctx.now() }),
      frameworks: frameworksOf(check).map(titleOfFramework),
    }))
  return { items: inOrder(ids, rows, ({ id }) => id), total }
}

const frameworksOf = ({ controls }: Pick<Check, 'controls'>): string[] =>
  Object.keys(controls).filter((slug) => (controls[slug] ?? []).length > 0)

const controlIdsOf = ({ controls }: Pick<Check, 'controls'>): string[] => [
  ...new Set(Object.values(controls).flat()),
]

/**
 * Controls of the adopted frameworks, unless the condition asks about others; what fails first, unless another order is
 * asked for. Throws 400 naming `where` or `sort`.
 */
export async function listControlPage(
  ctx: Ctx,
  page: Page,
  query: ListQuery,
): Promise<Listed<ControlSummary>> {
  permit(ctx, 'compliance:read')
  const asked = { ...query, subject: 'control', usual: 'status' }
  const { items: ids, total } = await subjectPage(ctx, asked, page)
  const all = await readAll(ctx)
  const byFramework = new Map<string, Known>()
  const knownIn = ({ framework }: Control): Known => {
    const known = byFramework.get(framework) ?? knownOf(all, framework)
    byFramework.set(framework, known)
    return known
  }
  const rows = ids.flatMap((key) => controlOfKey(key) ?? []).map((it) => summaryOf(it, knownIn(it)))
  return { items: inOrder(ids, rows, ({ framework, id }) => keyOf(framework, id)), total }
}
