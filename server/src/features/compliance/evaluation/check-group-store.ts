import { sql, type RawBuilder } from 'kysely'
import { columnsOf } from '#platform/conditions/compiling/columns.ts'
import type { Among } from '#platform/conditions/compiling/pass-over-elements.ts'
import { factsOf } from '#platform/conditions/compiling/facts.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import type { Check } from '../checks/check.ts'
import { compileOk, compileScope, scopeOf } from './check-sql-store.ts'
import { scopes as readScopes, scopesOf, type CompiledScope, type Scope } from './scope-store.ts'

/** Columns of one statement, not counting those of its last check: PostgreSQL allows 1,664, and plans many slowly. */
const COLUMNS_MAX = 600

/** Checks and scopes that are judged together: what they ask about an asset is read once. */
export interface CheckGroup {
  /** A finding of one is a number: twice its place, counted from 1, and one more if unknown. */
  readonly checks: readonly Check[]
  /** Numbers of the scopes that other groups judge. */
  readonly otherScopes: readonly number[]
  /**
   * A query that answers for each asset among those asked for its `id`, `found` (what is not in order, ascending) and
   * `scopes` (the numbers of those of the group that it is in, ascending).
   */
  readonly judged: (among: Among) => RawBuilder<unknown>
  /** The same as two groups; none, where it is one check or scope. */
  readonly halves: () => Promise<readonly CheckGroup[]>
}

export interface Grouped {
  /** All scopes, and the checks that can be read. */
  readonly groups: readonly CheckGroup[]
  /** Why others cannot be read, by check. */
  readonly faults: ReadonlyMap<string, string>
}

/** What a group judges: one of both. */
interface Judgeable {
  readonly scope?: Scope
  readonly check?: Check
}

/** As few groups as there can be. */
export async function groupChecks(ctx: Ctx, checks: readonly Check[]): Promise<Grouped> {
  const items: Judgeable[] = [
    ...(await readScopes(ctx)).map((scope) => ({ scope })),
    ...checks.map((check) => ({ check })),
  ]
  const faults = new Map<string, string>()
  const compiled: Compiled[] = []
  for (let at = 0; at < items.length || compiled.length === 0;) {
    const next = await compileSome(ctx, items.slice(at), faults)
    compiled.push(next)
    at += next.taken
  }
  const numbers = compiled.flatMap(({ scopes }) => scopes.map(({ number }) => number))
  return { groups: compiled.map((it) => groupOf(ctx, it, numbers)), faults }
}

interface Compiled extends Pick<CheckGroup, 'judged' | 'checks'> {
  readonly scopes: readonly Scope[]
  /** How many of the items it looked at. */
  readonly taken: number
}

/** Those of `numbers` that are not of this group are judged by others. */
function groupOf(ctx: Ctx, { checks, scopes, judged }: Compiled, numbers: readonly number[]): CheckGroup {
  const own = new Set(scopes.map(({ number }) => number))
  const items: Judgeable[] = [...scopes.map((scope) => ({ scope })), ...checks.map((check) => ({ check }))]
  const middle = items.length >> 1
  return {
    checks,
    otherScopes: numbers.filter((it) => !own.has(it)),
    judged,
    async halves() {
      if (items.length <= 1) return []
      const first = await compileSome(ctx, items.slice(0, middle), new Map())
      const second = await compileSome(ctx, items.slice(middle), new Map())
      return [groupOf(ctx, first, numbers), groupOf(ctx, second, numbers)]
    },
  }
}

/** As many of the first as one statement holds; what cannot be read is left out, and of checks said in `faults`. */
async function compileSome(
  ctx: Ctx,
  items: readonly Judgeable[],
  faults: Map<string, string>,
): Promise<Compiled> {
  const facts = factsOf(await ctx.conditions.on(ctx, 'asset'))
  const once = columnsOf('once')
  const compiling = { subject: facts.subject, once: oncePerText(once.add) }
  const scopes: CompiledScope[] = []
  const checks: Check[] = []
  const findings: RawBuilder<unknown>[] = []
  let taken = 0
  for (const { scope, check } of items) {
    if (facts.width() + once.width() > COLUMNS_MAX) break
    taken++
    if (scope) {
      const isIn = await unlessRefused(() => scopeSql(ctx, scope.scope, compiling))
      if (typeof isIn !== 'string') scopes.push({ ...scope, isIn })
    }
    if (check) {
      const compiled = await unlessRefused(() => checkSql(ctx, check, compiling))
      if (typeof compiled === 'string') faults.set(check.id, compiled)
      else findings.push(findingOf(compiled, checks.push(check)))
    }
  }
  const scopeNumbers = scopesOf(scopes)
  return {
    checks,
    scopes,
    taken,
    judged: (among) => sql`
      select ${facts.id} as id, ${scopeNumbers} as scopes,
        array_remove(array[${sql.join([sql`null::int`, ...findings])}], null) as found
      from ${facts.from(among)}
      cross join lateral (select ${sql.join([sql`true as is_read`, ...once.selected()])} offset 0) as once`,
  }
}

const findingOf = ({ isInScope, isOk }: Decided, place: number) => sql`
  case when ${isInScope} then case ${isOk} when true then null when false then ${sql.lit(place * 2)}
    else ${sql.lit(place * 2 + 1)} end end`

interface Decided {
  readonly isInScope: RawBuilder<unknown>
  readonly isOk: RawBuilder<unknown>
}

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
