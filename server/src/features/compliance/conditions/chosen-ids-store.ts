import { sql } from 'kysely'
import { subjectPage } from '#platform/conditions/lists/subject-page.ts'
import type { Ctx } from '#platform/context.ts'

/** More than all frameworks have together. */
const ALL = { limit: 20_000, offset: 0 }

/** Ids of the checks that a condition is true of. */
export const checkIdsWhere = async (ctx: Ctx, where: string): Promise<ReadonlySet<string>> =>
  new Set((await subjectPage(ctx, { where, subject: 'check', usual: 'id' }, ALL)).items)

/** Ids of the controls of a framework that a condition is true of, whether or not it is adopted. */
export async function controlIdsWhere(
  ctx: Ctx,
  { framework, where }: { readonly framework: string; readonly where: string },
): Promise<ReadonlySet<string>> {
  const narrowed = [sql`co.framework = ${framework}`]
  const asked = { where, subject: 'control', usual: 'id', narrowed, meansAll: true } as const
  return new Set((await subjectPage(ctx, asked, ALL)).items)
}
