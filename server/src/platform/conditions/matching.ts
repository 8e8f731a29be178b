import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context.ts'
import type { Matches } from '../database/db.ts'
import { conditionSql } from './to-sql.ts'
import {
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
export type Narrowing = (ctx: Ctx) => readonly RawBuilder<unknown>[]

/**
 * The subjects for which a caller's condition holds: worked out once, then only for those that changed. Undefined where
 * answers cannot be shared; see `Db.matches`. Throws 400 as `withCondition`.
 */
export async function matching(
  ctx: Ctx,
  written: WrittenCondition,
  narrowed: Narrowing,
): Promise<Matching | undefined> {
  const { field = 'where' } = written
  const { matches } = ctx.db
  if (!matches) return undefined
  const now = minuteOf(ctx)
  const filter = await withinTime(ctx, field, (inner) => filterOf(inner, written, { now, isOfFew: true }))
  const { id } = filter.subject
  const select = ({ from, where }: Filter, inner: Ctx, more: RawBuilder<unknown>) => sql<{ id: string }>`
    select ${id} as id from ${from} where ${sql.join([where, ...narrowed(inner), more], sql` and `)}`
  const found = await refuseWhenTooLong(field, () =>
    matches({
      among: (ids) => select(filter, ctx, sql`${id} = any(${[...ids]}::uuid[])`),
      all: async (db) => {
        const inner = { ...ctx, db }
        return select(await filterOf(inner, written, { now }), inner, sql`true`)
      },
    }),
  )
  return { filter, matches: found }
}

async function filterOf(
  ctx: Ctx,
  { subject: name, text, field = 'where' }: WrittenCondition,
  how: { readonly now: Date; readonly isOfFew?: boolean },
): Promise<Filter> {
  const subject = await ctx.conditions.on(ctx, name)
  const condition = readCondition(subject, field, text)
  const { vocabulary, from } = subject
  const holds = await conditionSql(condition, { vocabulary, isFilter: true, ...how })
  return { from, where: sql`${rowsMeant(subject, condition)} and ${holds}`, subject, condition }
}
