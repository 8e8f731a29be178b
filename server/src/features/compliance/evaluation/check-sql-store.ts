import { sql, type RawBuilder } from 'kysely'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import { asksAbout, meansUnusual, readCondition } from '#platform/conditions/with-condition.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'
import type { Check } from '../checks/check.ts'
import type { CheckSql } from './result-store.ts'

/** Asks about archived assets too, where the condition does and there is no scope. */
const EVERY_ASSET = 'archived = yes or archived = no'

const NOT_STALE = 'stale = no'
const SIGHTINGS = ['stale', 'last_seen']

export interface Compiling {
  /** For statements over a few hundred assets. */
  readonly isOfFew?: boolean
  /** What conditions on assets may ask, where it was read already. */
  readonly subject?: Subject
}

/** Throws 400, which names `scope` or `condition`, for what cannot be read by who asks. */
export async function compileCheck(
  ctx: Ctx,
  check: Pick<Check, 'scope' | 'condition'> & Partial<Pick<Check, 'freshness'>>,
  { isOfFew = false, ...known }: Compiling = {},
): Promise<CheckSql> {
  const subject = known.subject ?? (await ctx.conditions.on(ctx, 'asset'))
  const { from, id, where } = subject
  const isOk = await compileOk(ctx, check, { isOfFew, subject })
  const isInScope = await compileScope(ctx, scopeOf(subject, check), { isOfFew, subject })
  return { from, id, where: sql`${where} and ${isInScope}`, isInScope, isOk }
}

interface CompilingOk extends Compiling {
  readonly subject: Subject
  /** May answer what it answered before for the same text. */
  readonly recent?: (text: string, compile: () => Promise<RawBuilder<Truth>>) => Promise<RawBuilder<Truth>>
}

/** Whether an asset in scope is in order. Throws as `compileCheck` does. */
export async function compileOk(
  ctx: Ctx,
  { condition, freshness = '' }: Pick<Check, 'condition'> & Partial<Pick<Check, 'freshness'>>,
  { subject, isOfFew = false, recent = (_, compile) => compile() }: CompilingOk,
): Promise<RawBuilder<Truth>> {
  const how = { now: ctx.now(), vocabulary: subject.vocabulary, isOfFew }
  const isOk = await conditionSql(readCondition(subject, 'condition', condition), how)
  if (freshness === '') return isOk
  const isRecent = await recent(freshness, () =>
    conditionSql(readCondition(subject, 'freshness', freshness), how),
  )
  return onlyWhile(isOk, isRecent)
}

/** FALSE stays; what is TRUE is NULL where `isRecent` does not hold. */
const onlyWhile = (isOk: RawBuilder<Truth>, isRecent: RawBuilder<Truth>): RawBuilder<Truth> =>
  sql`(${isOk} and nullif(${isRecent} is true, false))`

/**
 * The scope of a check as a condition that can stand alone. Stale assets are in none, unless the check asks about
 * sightings itself. Throws as `compileCheck` does.
 */
export function scopeOf(subject: Subject, { scope, condition }: Pick<Check, 'scope' | 'condition'>): string {
  const given = scope.trim()
  const judged = readCondition(subject, 'condition', condition)
  const scoped = given === '' ? [] : [readCondition(subject, 'scope', given)]
  const wanted = given === '' && meansUnusual({ subject, condition: judged }) ? EVERY_ASSET : given
  const asksAboutSightings = [judged, ...scoped].some((it) =>
    SIGHTINGS.some((name) => asksAbout({ condition: it }, name)),
  )
  if (asksAboutSightings) return wanted
  return wanted === '' ? NOT_STALE : `(${wanted}) and ${NOT_STALE}`
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
  return meansUnusual({ subject, condition }) ? sql`(${isIn})` : sql`(${isUsual} and ${isIn})`
}
