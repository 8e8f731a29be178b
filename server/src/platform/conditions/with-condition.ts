import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context.ts'
import { invalid } from '../errors.ts'
import type { Condition } from './condition.ts'
import { ConditionError } from './condition-error.ts'
import type { Subject } from './subject.ts'
import { fieldsIn, parseCondition } from './parse.ts'
import { decidedSql } from './compiling/decided-in-memory.ts'
import type { Truth } from './three-valued-logic.ts'

/** A condition that a caller wrote. */
export interface WrittenCondition {
  readonly subject: string
  readonly text: string
  /** Where the caller wrote it, as errors name it; `where` unless given. */
  readonly field?: string
  /** Rows that are meant only when a condition asks about them, such as archived assets, are meant as well. */
  readonly meansAll?: true
}

/** A condition as part of a statement over the tables `from`. */
export interface Filter {
  readonly from: RawBuilder<unknown>
  /** That the rows are the tenant's, and that the condition holds; unknown is left out. */
  readonly where: RawBuilder<Truth>
  readonly subject: Subject
  readonly condition: Condition
}

/** The most that a statement with a caller's condition may take. */
const CONDITION_MS = 10_000
const MINUTE_MS = 60_000
const QUERY_CANCELED = '57014'

/**
 * Runs statements that a caller's condition is part of, in a transaction of their own. Throws 400, which names the
 * field: with the place and what was expected there, for what cannot be read, and when a statement takes too long.
 */
export function withCondition<T>(
  ctx: Ctx,
  { subject: name, text, field = 'where', meansAll }: WrittenCondition,
  work: (ctx: Ctx, filter: Filter) => Promise<T>,
): Promise<T> {
  return withinTime(ctx, field, async (inner) => {
    // with `inner`, since what features ask of dictionaries belongs to the transaction
    const subject = await inner.conditions.on(inner, name)
    const condition = readCondition(subject, field, text)
    const meant = meansAll ? withAllRows(subject) : subject
    return work(inner, await filterOf(inner, field, meant, condition))
  })
}

/**
 * What spans such as -30d count from: the beginning of the minute, so that a condition which is asked twice within it is
 * the same statement.
 */
export function minuteOf(ctx: Ctx): Date {
  return new Date(Math.floor(ctx.now().getTime() / MINUTE_MS) * MINUTE_MS)
}

/** Runs statements whose cost a caller decides by what `field` says; throws 400, which names it, when one takes too long. */
export function withinTime<T>(ctx: Ctx, field: string, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return refuseWhenTooLong(field, () =>
    ctx.db.transaction(async (db) => {
      const inner = { ...ctx, db }
      await limitStatements(inner)
      return work(inner)
    }),
  )
}

/** For the rest of the transaction, a statement that takes too long is cancelled: an error of `wasCancelled`. */
export async function limitStatements({ db }: Ctx): Promise<void> {
  await db.run(sql`set local statement_timeout = ${sql.lit(CONDITION_MS)}`)
}

/** Whether a statement was cancelled because it took too long. The transaction that it belonged to is lost. */
export const wasCancelled = (error: unknown): boolean => (error as { code?: unknown }).code === QUERY_CANCELED

/** Throws 400, which names `field`, for a statement that was cancelled because it took too long. */
export async function refuseWhenTooLong<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!wasCancelled(error)) throw error
    throw invalid(field, `takes longer than ${CONDITION_MS / 1_000} s; ask for less, or narrow it`)
  }
}

/** Throws 400, which names `field`, the place and what was expected there. */
export function readCondition(
  { vocabulary, conditionsRead }: Subject,
  field: string,
  text: string,
): Condition {
  const known = conditionsRead?.get(text)
  if (known) return known
  try {
    const condition = parseCondition(text, vocabulary)
    conditionsRead?.set(text, condition)
    return condition
  } catch (error) {
    if (error instanceof ConditionError) throw invalid(field, error.message)
    throw error
  }
}

/** Whether the condition asks about the field, outside of collections. */
export const asksAbout = ({ condition }: Pick<Filter, 'condition'>, name: string): boolean =>
  [...fieldsIn(condition)].some((field) => field.name === name)

/** Whether the condition means rows beside the usual ones of the subject, such as archived assets. */
export const meansUnusual = ({ subject, condition }: Pick<Filter, 'subject' | 'condition'>): boolean =>
  subject.usual?.fields.some((name) => asksAbout({ condition }, name)) ?? false

/** That the rows are the tenant's, and those that are meant unless the condition asks about more. */
export function rowsMeant(subject: Subject, condition: Condition): RawBuilder<unknown> {
  const { where, usual } = subject
  return usual && !meansUnusual({ subject, condition }) ? sql`${where} and ${usual.where}` : where
}

function withAllRows({ usual: _usual, ...subject }: Subject): Subject {
  return subject
}

async function filterOf(ctx: Ctx, field: string, subject: Subject, condition: Condition): Promise<Filter> {
  const holds = await decidedSql(ctx, { subject, condition, field, now: minuteOf(ctx), isFilter: true })
  return { from: subject.from, where: sql`${rowsMeant(subject, condition)} and ${holds}`, subject, condition }
}
