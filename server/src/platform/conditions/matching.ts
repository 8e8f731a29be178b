import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context.ts'
import type { Match, Matches, MatchQuery, SubjectId } from '../database/db.ts'
import type { Condition } from './condition.ts'
import type { Subject } from './subject.ts'
import type { Compilation } from './compiling/compilation.ts'
import { conditionSql } from './compiling/to-sql.ts'
import { movingSpans, stretchesMoved, type MovingSpan } from './moving-spans.ts'
import {
  meansUnusual,
  minuteOf,
  readCondition,
  refuseWhenTooLong,
  rowsMeant,
  withinTime,
  type Filter,
  type WrittenCondition,
} from './with-condition.ts'

export interface Matching {
  /** For statements that ask about few subjects. */
  readonly filter: Filter
  readonly matches: Matches
}

/** What a list says beside its condition, in SQL over the subject's tables; asks no clock and calls no function that reads tables. */
export type Narrowing = (ctx: Ctx, asked: Pick<Filter, 'condition'>) => readonly RawBuilder<unknown>[]

export interface MatchingQuestion extends WrittenCondition {
  readonly narrowed?: Narrowing
}

/**
 * The rows of a subject for which a caller's condition holds: worked out once, then only for those that changed.
 * Undefined where answers cannot be shared; see `Db.matches`. Throws 400 as `withCondition`, and 503 where too many others
 * are worked out.
 */
export async function matching(ctx: Ctx, question: MatchingQuestion): Promise<Matching | undefined> {
  const { field = 'where' } = question
  const { matches } = ctx.db
  if (!matches) return undefined
  const { query, filter } = await withinTime(ctx, field, (inner) => matchQuery(ctx, inner, question))
  return { filter, matches: await refuseWhenTooLong(field, () => matches(query)) }
}

/** `inner` is a transaction, for what features have to ask before there is a statement. */
async function matchQuery(
  ctx: Ctx,
  inner: Ctx,
  question: MatchingQuestion,
): Promise<{ readonly query: MatchQuery; readonly filter: Filter }> {
  const { narrowed = () => [] } = question
  const now = minuteOf(ctx)
  const few = await read(inner, question)
  const filter = await filterOf(few, { now, isOfFew: true })
  const about = aboutOf(few.subject)
  const amongOf = (of: Filter) => (ids: readonly string[]) =>
    select(of, [...narrowed(ctx, few), sql`${about} = any(${[...ids]}::uuid[])`])
  const among = amongOf(filter)
  const spans = canMove(few) ? movingSpans(few.condition) : []
  const anyTime = spans.length > 0 ? await filterOf(few, { now, isOfFew: true, movingNow: NO_TIME }) : filter
  const { order } = few.subject
  return {
    filter,
    query: {
      // the spans stand beside the instants that they come to, for these are limited to some thousand years
      key: sql<Match>`${amongOf(anyTime)([])} ${spans.map(({ ms }) => ms)}`,
      among,
      async all(db) {
        const of = { ...ctx, db }
        return select(await filterOf(await read(of, question), { now }), narrowed(of, few))
      },
      ...(order && {
        first: (ids, limit) => sql<Match>`
          select subject, id, place from (${ids ? among(ids) : select(filter, narrowed(ctx, few))}) as matching
          order by rank desc, id desc limit ${limit}`,
      }),
      hasSeveral: few.subject.about !== undefined,
      ...(spans.length > 0 && { at: now, moved: movedOf(few, spans, now) }),
    },
  }
}

/** What spans count from in what a question is known by. */
const NO_TIME = new Date(0)

const movedOf =
  ({ subject, condition }: Read, spans: readonly MovingSpan[], now: Date) =>
  (other: Date, limit: number) =>
    sql<SubjectId>`
    select ${aboutOf(subject)} as id from ${subject.from}
    where ${rowsMeant(subject, condition)} and (${sql.join(stretchesMoved(spans, now, other), sql` or `)})
    limit ${limit}`

const aboutOf = ({ id, about = id }: Subject): RawBuilder<unknown> => about

interface Read {
  readonly subject: Subject
  readonly condition: Condition
}

async function read(ctx: Ctx, { subject: name, text, field = 'where' }: WrittenCondition): Promise<Read> {
  const subject = await ctx.conditions.on(ctx, name)
  return { subject, condition: readCondition(subject, field, text) }
}

/** An index over stretches of time knows the rows that are usually meant. */
const canMove = (read: Read): boolean => read.subject.usual !== undefined && !meansUnusual(read)

async function filterOf(
  { subject, condition }: Read,
  how: Omit<Compilation, 'vocabulary' | 'isFilter'>,
): Promise<Filter> {
  const { vocabulary, from } = subject
  const holds = await conditionSql(condition, { vocabulary, isFilter: true, ...how })
  return { from, where: sql`${rowsMeant(subject, condition)} and ${holds}`, subject, condition }
}

function select({ subject, from, where }: Filter, others: readonly RawBuilder<unknown>[]): RawBuilder<Match> {
  const { id, order } = subject
  return sql<Match>`
    select ${aboutOf(subject)} as subject, ${id} as id, ${order?.by ?? sql`0`} as rank, ${order?.asNumber ?? sql`0`} as place
    from ${from} where ${sql.join([where, ...others], sql` and `)}`
}
