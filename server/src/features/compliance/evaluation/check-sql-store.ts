import { sql } from 'kysely'
import { conditionSql } from '#platform/conditions/to-sql.ts'
import { readCondition, rowsMeant } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Check } from '../checks/check.ts'
import type { CheckSql } from './result-store.ts'

/** Throws 400, which names `scope` or `condition`, for what cannot be read by who asks. */
export async function compileCheck(
  ctx: Ctx,
  { scope, condition }: Pick<Check, 'scope' | 'condition'>,
): Promise<CheckSql> {
  const subject = ctx.conditions.on(ctx, 'asset')
  const { vocabulary, from, id } = subject
  const now = ctx.now()
  const judged = readCondition(subject, 'condition', condition)
  const inScope = scope.trim() === '' ? undefined : readCondition(subject, 'scope', scope)
  const isInScope = inScope
    ? await conditionSql(inScope, { now, vocabulary, isFilter: true })
    : sql<boolean>`true`
  return {
    from,
    id,
    // living assets, unless the scope asks for archived ones
    where: sql`${rowsMeant(subject, inScope ?? judged)} and ${isInScope}`,
    isOk: await conditionSql(judged, { now, vocabulary }),
  }
}
