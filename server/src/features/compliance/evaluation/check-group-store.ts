import { sql, type RawBuilder } from 'kysely'
import { columnsOf } from '#platform/conditions/compiling/columns.ts'
import { factsOf } from '#platform/conditions/compiling/facts.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import type { Check } from '../checks/check.ts'
import { compileOk, compileScope, scopeOf } from './check-sql-store.ts'
import { scopes as readScopes, scopesOf, type CompiledScope } from './scope-store.ts'

/** Checks that are judged together: what they ask about an asset is read once. */
export interface CheckGroup {
  /** Those that can be read. A finding of one is a number: twice its place, counted from 1, and one more if unknown. */
  readonly checks: readonly Check[]
  /** Why others cannot be read, by check. */
  readonly faults: ReadonlyMap<string, string>
  /**
   * A query that answers for each asset among those asked for its `id`, `found` (what is not in order, ascending) and
   * `scopes` (the numbers of those that it is in, ascending).
   */
  readonly judged: (among: Among) => RawBuilder<unknown>
}

/** Whether an id of an asset is among those that are to be judged. */
export type Among = (id: RawBuilder<unknown>) => RawBuilder<boolean>

interface Decided {
  readonly isInScope: RawBuilder<unknown>
  readonly isOk: RawBuilder<unknown>
}

export async function groupChecks(ctx: Ctx, checks: readonly Check[]): Promise<CheckGroup> {
  const facts = factsOf(await ctx.conditions.on(ctx, 'asset'))
  const once = columnsOf('once')
  const compiling = { subject: facts.subject, once: oncePerText(once.add) }
  const scopes: CompiledScope[] = []
  for (const it of await readScopes(ctx)) {
    const isIn = await unlessRefused(() => scopeSql(ctx, it.scope, compiling))
    if (typeof isIn !== 'string') scopes.push({ ...it, isIn })
  }
  const faults = new Map<string, string>()
  const readable: Check[] = []
  const findings: RawBuilder<unknown>[] = []
  for (const check of checks) {
    const compiled = await unlessRefused(() => checkSql(ctx, check, compiling))
    if (typeof compiled === 'string') faults.set(check.id, compiled)
    else findings.push(findingOf(compiled, readable.push(check)))
  }
  const scopeNumbers = scopesOf(scopes)
  return {
    checks: readable,
    faults,
    judged: (among) => sql`
      select ${facts.id} as id, ${scopeNumbers} as scopes,
        array_remove(array[${sql.join([sql`null::int`, ...findings])}], null) as found
      from ${facts.from(among(facts.subject.id))}
      cross join lateral (select ${sql.join([sql`true as is_read`, ...once.selected()])} offset 0) as once`,
  }
}

const findingOf = ({ isInScope, isOk }: Decided, place: number) => sql`
  case when ${isInScope} then case ${isOk} when true then null when false then ${sql.lit(place * 2)}
    else ${sql.lit(place * 2 + 1)} end end`

interface Compiling {
  readonly subject: Subject
  readonly once: Once
}

/** What several checks say in the same words is decided once for an asset. */
type Once = <T>(text: string, compile: () => Promise<RawBuilder<T>>) => Promise<RawBuilder<T>>

function oncePerText(add: <T>(expression: RawBuilder<T>) => RawBuilder<T>): Once {
  const known = new Map<string, RawBuilder<unknown>>()
  return async <T>(text: string, compile: () => Promise<RawBuilder<T>>) => {
    const found = (known.get(text) as RawBuilder<T> | undefined) ?? add(await compile())
    known.set(text, found)
    return found
  }
}

const scopeSql = (ctx: Ctx, scope: string, { subject, once }: Compiling) =>
  once(`scope ${scope}`, () => compileScope(ctx, scope, { subject }))

async function checkSql(ctx: Ctx, check: Check, compiling: Compiling): Promise<Decided> {
  const { subject, once } = compiling
  return {
    isInScope: await scopeSql(ctx, scopeOf(subject, check), compiling),
    isOk: await compileOk(ctx, check, {
      subject,
      recent: (text, compile) => once(`freshness ${text}`, compile),
    }),
  }
}

/** The message of a refusal: a condition that was valid when it was saved, and is not any more, is a fault of the check. */
export async function unlessRefused<T>(work: () => Promise<T> | T): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
