import { sql, type RawBuilder } from 'kysely'
import type { Truth } from '#platform/conditions/three-valued-logic.ts'
import type { Ctx } from '#platform/context.ts'

/** What checks find of a few hundred assets, and the difference to what is written. */

export interface CompiledCheck {
  readonly id: string
  readonly isInScope: RawBuilder<unknown>
  readonly isOk: RawBuilder<Truth>
}

/** Of a check that finds nothing. */
export const nothing = { isInScope: sql`false`, isOk: sql<Truth>`null::boolean` } as const

/** `f` failed, `u` unknown, `-` in order or not in scope. */
export type Outcome = 'f' | 'u' | '-'

export interface JudgedAsset {
  readonly assetId: string
  /** One letter for each check. */
  readonly outcomes: string
  readonly scopes: readonly number[]
  /** Null: it was never judged. */
  readonly scopesBefore: readonly number[] | null
}

/** Those of the assets that are there. */
export function judgeAssets(
  ctx: Ctx,
  assetIds: readonly string[],
  {
    from,
    scopes,
    checks,
  }: {
    readonly from: RawBuilder<unknown>
    readonly scopes: RawBuilder<number[]>
    readonly checks: readonly CompiledCheck[]
  },
): Promise<JudgedAsset[]> {
  const outcomes = checks.map(
    ({ isInScope, isOk }) => sql`case when ${isInScope}
      then case ${isOk} when true then '-' when false then 'f' else 'u' end else '-' end`,
  )
  return ctx.db.all(sql<JudgedAsset>`
    select j.id as "assetId", j.outcomes, j.scopes, c.scopes as "scopesBefore"
    from (
      select a.id, ${scopes} as scopes,
        array_to_string(array[${sql.join([sql`''::text`, ...outcomes])}], '') as outcomes
      from ${from} where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...assetIds]}::uuid[])
    ) j
    left join compliance_assets c on c.tenant_id = ${ctx.tenantId} and c.asset_id = j.id`)
}

export interface Result {
  readonly checkId: string
  readonly assetId: string
  readonly outcome: Outcome
}

export function resultsOf(ctx: Ctx, assetIds: readonly string[]): Promise<Result[]> {
  return ctx.db.all(sql<Result>`
    select check_id as "checkId", asset_id as "assetId", outcome from compliance_results
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

/** Writes outcomes that differ from what is written; `-` removes. */
export async function writeResults(ctx: Ctx, results: readonly Result[]): Promise<void> {
  const [gone, put] = [true, false].map((isGone) =>
    results.filter(({ outcome }) => (outcome === '-') === isGone),
  )
  if (gone && gone.length > 0)
    await ctx.db.run(sql`
      delete from compliance_results r using ${rowsOf(gone)}
      where r.tenant_id = ${ctx.tenantId} and r.check_id = n."checkId" and r.asset_id = n."assetId"`)
  if (put && put.length > 0)
    await ctx.db.run(sql`
      insert into compliance_results as r (tenant_id, check_id, asset_id, outcome, since)
      select ${ctx.tenantId}, "checkId", "assetId", outcome, ${ctx.now()} from ${rowsOf(put)}
      on conflict (tenant_id, check_id, asset_id) do update set outcome = excluded.outcome, since = excluded.since`)
}

const rowsOf = (results: readonly Result[]) => sql`json_to_recordset(${JSON.stringify(results)}::json)
  as n("checkId" text, "assetId" uuid, outcome "char")`

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
