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
/** How many candidates are held in memory at once. */
const CANDIDATES_AT_ONCE = 5_000

/**
 * The condition as SQL. Where it asks about what SQL cannot compare, such as versions, the subjects that are left by the
 * rest of it are decided in memory; throws 400, which names the field, where those are too many.
 */
export async function decidedSql(ctx: Ctx, question: Question): Promise<Bool> {
  const { subject, condition, now, isFilter } = question
  const { vocabulary } = subject
  if (![...fieldsIn(condition)].some(isInMemoryOnly))
    return conditionSql(condition, { now, vocabulary, ...(isFilter && { isFilter }) })
  const ids = { true: [] as string[], unknown: [] as string[] }
  for await (const { id, row } of candidates(ctx, question)) {
    const answer = evaluate(condition, row, { now, vocabulary })
    if (answer !== false) ids[answer ? 'true' : 'unknown'].push(id)
  }
  const isAmong = (some: string[]) => sql`${subject.id} = any(${some}::${typeOfId(subject)}[])`
  return sql`(case when ${isAmong(ids.true)} then true when ${isAmong(ids.unknown)} then null else false end)`
}

const typeOfId = ({ idType = 'uuid' }: Subject) => sql.raw(idType)

interface Candidate {
  readonly id: string
  readonly row: Row
}

/** Subjects that SQL alone does not rule out. */
async function* candidates(
  ctx: Ctx,
  { subject, condition, now, field }: Question,
): AsyncGenerator<Candidate> {
  const maybe = await conditionSql(condition, { now, vocabulary: subject.vocabulary, isPartial: true })
  const { values } = askingOnly(subject, [condition])
  const row = asJson({ ...values, ...subject.searchTexts })
  let [looked, last]: [number, string | undefined] = [0, undefined]
  do {
    const behind = last === undefined ? sql`true` : sql`${subject.id} > ${last}::${typeOfId(subject)}`
    const some: readonly Candidate[] = await ctx.db.cached(sql<Candidate>`
      select ${subject.id}::text as id, ${row} as "row"
      from ${subject.from} where ${subject.where} and ${behind} and ${maybe} is not false
      order by ${subject.id} limit ${CANDIDATES_AT_ONCE}`)
    looked += some.length
    if (looked > CANDIDATES_MAX)
      throw invalid(field, 'asks about the versions of too many things; name them as well')
    yield* some
    last = some.length < CANDIDATES_AT_ONCE ? undefined : some.at(-1)?.id
  } while (last !== undefined)
}
