import { sql } from 'kysely'
import type { Among } from '#platform/conditions/compiling/pass-over-elements.ts'
import type { Ctx } from '#platform/context.ts'
import type { CheckGroup } from './check-group-store.ts'

/** What is found of assets beside what is written of them, and the writing of it. */

export const these =
  (assetIds: readonly string[]): Among =>
  (id) =>
    sql`${id} = any(${[...assetIds]}::uuid[])`

/** Ids above `after` (null: from the first) up to `last` (null: to the end). */
export const between =
  (after: string | null, last: string | null): Among =>
  (id) =>
    sql`(${after === null ? sql`true` : sql`${id} > ${after}::uuid`}
    and ${last === null ? sql`true` : sql`${id} <= ${last}::uuid`})`

/** The last id of the next `limit` assets; null: there are not as many. */
export async function lastOfNext(ctx: Ctx, after: string | null, limit: number): Promise<string | null> {
  const row = await ctx.db.maybe(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and ${between(after, null)(sql`id`)}
    order by id offset ${limit - 1} limit 1`)
  return row?.id ?? null
}

/** An asset of which something else was found than is written. */
export interface Differing {
  readonly id: string
  readonly isGone: boolean
  /** Findings, as `CheckGroup` numbers them. */
  readonly found: readonly number[]
  readonly foundBefore: readonly number[]
  readonly scopes: readonly number[]
  /** Null: it was never judged. */
  readonly scopesBefore: readonly number[] | null
}

/** Assets that are there, and those that are gone but still counted. */
function differing(ctx: Ctx, group: CheckGroup, among: Among): Promise<Differing[]> {
  return ctx.db.all(sql<Differing>`
    with judged as materialized (${group.judged(among)})
    select coalesce(j.id, w.id, c.id) as id, j.id is null as "isGone",
      coalesce(j.found, '{}') as found, coalesce(w.found, '{}') as "foundBefore",
      case when j.id is null then '{}' else ${scopesWith(group)} end as scopes, c.scopes as "scopesBefore"
    from judged j
    full join (${writtenOf(ctx, group, among)}) w on w.id = j.id
    full join (
      select asset_id as id, scopes from compliance_assets
      where tenant_id = ${ctx.tenantId} and ${among(sql`asset_id`)}
    ) c on c.id = coalesce(j.id, w.id)
    where j.id is null or j.found <> coalesce(w.found, '{}') or c.scopes is distinct from ${scopesWith(group)}`)
}

/** Those that the group judges, and of those that are written the ones that others judge. */
const scopesWith = ({ otherScopes }: CheckGroup) =>
  otherScopes.length === 0
    ? sql`j.scopes`
    : sql`array(
        select number from unnest(j.scopes) as number
        union select number from unnest(c.scopes) as number where number = any(${[...otherScopes]}::bigint[])
        order by 1)`

/**
 * Those classes of errors that a check causes by what it asks (PostgreSQL manual, Appendix A): cardinality violation, data
 * exception, syntax or type error, program limit exceeded.
 */
const FAILURES = /^(?:21|22|42|54)/

/** The error, where the database cannot decide what the group asks; the transaction goes on. */
export async function differingUnlessFailing(
  ctx: Ctx,
  group: CheckGroup,
  among: Among,
): Promise<Differing[] | Error> {
  await ctx.db.run(sql`savepoint judging`)
  try {
    const found = await differing(ctx, group, among)
    await ctx.db.run(sql`release savepoint judging`)
    return found
  } catch (error) {
    if (!(error instanceof Error && FAILURES.test(String((error as { code?: unknown }).code)))) throw error
    await ctx.db.run(sql`rollback to savepoint judging`)
    await ctx.db.run(sql`release savepoint judging`)
    return error
  }
}

/** What is written of each asset, as numbers of findings. */
const writtenOf = (ctx: Ctx, { checks }: CheckGroup, among: Among) => sql`
  select r.asset_id as id,
    array_agg((c.place * 2 + case r.outcome when 'u' then 1 else 0 end)::int order by c.place) as found
  from compliance_results r
  join unnest(${checks.map(({ id }) => id)}::text[]) with ordinality as c (check_id, place) on c.check_id = r.check_id
  where r.tenant_id = ${ctx.tenantId} and ${among(sql`r.asset_id`)} group by r.asset_id`

export interface Result {
  readonly checkId: string
  readonly assetId: string
  /** Failed, or unknown. */
  readonly outcome: 'f' | 'u'
}

export async function putResults(ctx: Ctx, results: readonly Result[]): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_results as r (tenant_id, check_id, asset_id, outcome, since)
    select ${ctx.tenantId}, check_id, asset_id, outcome::"char", ${ctx.now()}
    from unnest(${columnOf(results, 'checkId')}::text[], ${columnOf(results, 'assetId')}::uuid[],
      ${columnOf(results, 'outcome')}::text[]) as n (check_id, asset_id, outcome)
    on conflict (tenant_id, check_id, asset_id) do update set outcome = excluded.outcome, since = excluded.since`)
}

export async function removeResults(ctx: Ctx, results: readonly Omit<Result, 'outcome'>[]): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_results r
    using unnest(${columnOf(results, 'checkId')}::text[], ${columnOf(results, 'assetId')}::uuid[]) as n (check_id, asset_id)
    where r.tenant_id = ${ctx.tenantId} and r.check_id = n.check_id and r.asset_id = n.asset_id`)
}

const columnOf = <T, K extends keyof T>(rows: readonly T[], name: K): T[K][] => rows.map((it) => it[name])

export interface Move {
  readonly checkId: string
  readonly failed: number
  readonly unknown: number
}

export async function moveCounts(ctx: Ctx, moves: readonly Move[]): Promise<void> {
  await ctx.db.run(sql`
    update compliance_check_states c set failed = c.failed + m.failed, unknown = c.unknown + m.unknown,
      excepted = least(c.excepted, c.failed + m.failed)
    from json_to_recordset(${JSON.stringify(moves)}::json) as m("checkId" text, failed bigint, unknown bigint)
    where c.tenant_id = ${ctx.tenantId} and c.check_id = m."checkId"`)
}
