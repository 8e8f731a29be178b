import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { Bool } from './compilation.ts'
import { conditionSql, isInMemoryOnly } from './to-sql.ts'
import type { Condition } from '../condition.ts'
import { asJson } from '../compose-subject.ts'
import { evaluate } from '../evaluate.ts'
import type { Row } from '../field.ts'
import { fieldsIn } from '../parse.ts'
import type { Subject } from '../subject.ts'
import { askingOnly } from '../subject-rows.ts'

interface Question {
  readonly subject: Subject
  readonly condition: Condition
  /** Where the condition was written, as errors name it. */
  readonly field: string
  readonly now: Date
  readonly isFilter?: true
}

/** At most so many subjects are looked at one by one. */
const CANDIDATES_MAX = 50_000

/**
 * The condition as SQL. Where it asks about what SQL cannot compare, such as versions, the subjects that are left by the
 * rest of it are decided in memory; throws 400, which names the field, where those are too many.
 */
export async function decidedSql(ctx: Ctx, question: Question): Promise<Bool> {
  const { subject, condition, now, isFilter } = question
  const { vocabulary } = subject
  if (![...fieldsIn(condition)].some(isInMemoryOnly))
    return conditionSql(condition, { now, vocabulary, ...(isFilter && { isFilter }) })
  const maybe = await conditionSql(condition, { now, vocabulary, isPartial: true })
  const { values } = askingOnly(subject, [condition])
  const rows = await ctx.db.unchanged(sql<{ id: string; row: Row }>`
    select ${subject.id}::text as id, ${asJson({ ...values, ...subject.searchTexts })} as "row"
    from ${subject.from} where ${subject.where} and ${maybe} is not false limit ${CANDIDATES_MAX + 1}`)
  if (rows.length > CANDIDATES_MAX)
    throw invalid(question.field, 'asks about the versions of too many things; name them as well')
  const ids = { true: [] as string[], unknown: [] as string[] }
  for (const { id, row } of rows) {
    const answer = evaluate(condition, row, { now, vocabulary })
    if (answer !== false) ids[answer ? 'true' : 'unknown'].push(id)
  }
  const isAmong = (some: string[]) =>
    sql`${subject.id} = any(${some}::${sql.raw(subject.idType ?? 'uuid')}[])`
  return sql`(case when ${isAmong(ids.true)} then true when ${isAmong(ids.unknown)} then null else false end)`
}
