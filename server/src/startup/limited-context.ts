import { sql, type RawBuilder } from 'kysely'
import { ConditionError } from '#platform/conditions/condition-error.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import type { Ctx } from '#platform/context.ts'
import { limitedDb, type LimitedTable } from '#platform/database/limited-db.ts'
import { forbidden } from '#platform/errors.ts'
import { platformTables, type Tables } from '#platform/database/tables.ts'
import type { Feature } from '#platform/feature.ts'
import { readerFunctions } from './reader-functions.ts'

/** As `ctx.conditions.limit`. The condition is read and compiled once, with the first statement that needs it. */
export function limitedContext(ctx: Ctx, condition: string, features: readonly Feature[]): Ctx {
  const kinds: Tables = { ...platformTables, ...Object.assign({}, ...features.map(({ tables }) => tables)) }
  const actor = { ...ctx.actor, limitedTo: condition }
  let looks: Promise<ReadonlyMap<string, LimitedTable>> | undefined
  const db = limitedDb(ctx.db, {
    tables: new Set(Object.keys(kinds)),
    readers: readerFunctions,
    refusal: () =>
      forbidden(
        'this is about all assets of the organisation, and your role or key is limited to some of them by a condition',
      ),
    looks: (whole) => (looks ??= looksOf({ ...ctx, actor, db: whole }, condition, { features, kinds })),
  })
  return { ...ctx, actor, db }
}

async function looksOf(
  ctx: Ctx,
  condition: string,
  { features, kinds }: { readonly features: readonly Feature[]; readonly kinds: Tables },
): Promise<ReadonlyMap<string, LimitedTable>> {
  const assets: LimitedTable = { needs: [], rows: await assetsWhere(ctx, condition) }
  const others = features.flatMap(({ limitedTables }) => Object.entries(limitedTables?.(ctx) ?? {}))
  const open = Object.keys(kinds).filter((name) => kinds[name] === 'directory' || kinds[name] === 'catalogue')
  return new Map<string, LimitedTable>([
    ...open.map((name) => [name, 'whole'] as const),
    ['assets', assets],
    ...others,
  ])
}

/** Archived ones too. A condition may ask about what the actor may not read. */
async function assetsWhere(ctx: Ctx, text: string): Promise<RawBuilder<unknown>> {
  const { vocabulary, from, where } = await ctx.conditions.on(
    { ...ctx, actor: { ...ctx.actor, may: () => true } },
    'asset',
  )
  try {
    const condition = parseCondition(text, vocabulary)
    const holds = await conditionSql(condition, { now: ctx.now(), vocabulary, isFilter: true })
    return sql`select a.* from ${from} where ${where} and ${holds}`
  } catch (error) {
    if (error instanceof ConditionError) return sql`select a.* from assets a where ${where} and false`
    throw error
  }
}
