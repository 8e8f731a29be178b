import { sql, type RawBuilder } from 'kysely'
import { conditionSql } from '#platform/conditions/to-sql.ts'
import { asksAbout, readCondition } from '#platform/conditions/with-condition.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import type { Check } from '../checks/check.ts'
import type { CheckSql } from './result-store.ts'

/** Asks about archived assets too, where the condition does and there is no scope. */
const EVERY_ASSET = 'archived = yes or archived = no'

export interface Compiling {
  /** For statements over a few hundred assets. */
  readonly isOfFew?: boolean
  /** What conditions on assets may ask, where it was read already. */
  readonly subject?: Subject
}

/** Throws 400, which names `scope` or `condition`, for what cannot be read by who asks. */
export async function compileCheck(
  ctx: Ctx,
  check: Pick<Check, 'scope' | 'condition'>,
  { isOfFew = false, ...known }: Compiling = {},
): Promise<CheckSql> {
  const subject = known.subject ?? (await ctx.conditions.on(ctx, 'asset'))
  const { vocabulary, from, id, where } = subject
  const judged = readCondition(subject, 'condition', check.condition)
  const isInScope = await compileScope(ctx, scopeOf(subject, check), { isOfFew, subject })
  return {
    from,
    id,
    where: sql`${where} and ${isInScope}`,
    isInScope,
    isOk: await conditionSql(judged, { now: ctx.now(), vocabulary, isOfFew }),
  }
}

/** The scope of a check as a condition that can stand alone. Throws as `compileCheck` does. */
export function scopeOf(subject: Subject, { scope, condition }: Pick<Check, 'scope' | 'condition'>): string {
  const { usual } = subject
  const isAboutUnusual =
    usual && asksAbout({ condition: readCondition(subject, 'condition', condition) }, usual.field)
  return scope.trim() === '' && isAboutUnusual ? EVERY_ASSET : scope.trim()
}

/** That an asset of the tenant is in a scope: a living one, unless the scope asks for archived ones. */
export async function compileScope(
  ctx: Ctx,
  scope: string,
  { isOfFew = false, ...known }: Compiling = {},
): Promise<RawBuilder<boolean>> {
  const subject = known.subject ?? (await ctx.conditions.on(ctx, 'asset'))
  const { vocabulary, usual } = subject
  const isUsual = usual ? sql`${usual.where}` : sql`true`
  if (scope === '') return sql`(${isUsual})`
  const condition = readCondition(subject, 'scope', scope)
  const isIn = await conditionSql(condition, { now: ctx.now(), vocabulary, isFilter: true, isOfFew })
  return usual && asksAbout({ condition }, usual.field) ? sql`(${isIn})` : sql`(${isUsual} and ${isIn})`
}
