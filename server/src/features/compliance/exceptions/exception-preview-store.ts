import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Control } from '../catalogue/catalogue.ts'
import { compileScope } from '../evaluation/check-sql-store.ts'
import { controlSql, isExcepted, type Judging } from './excepted-store.ts'
import type { NewException } from './exception.ts'

/** What an exception would cover. */

export interface Target {
  /** Null: whatever fails. */
  readonly assets: number | null
  /** Whether it applies to the asset of a result `r`. */
  readonly covers: RawBuilder<unknown>
}

export async function targetOf(
  ctx: Ctx,
  { assetId, tag, where }: Pick<NewException, 'assetId' | 'tag' | 'where'>,
): Promise<Target> {
  if (assetId !== undefined) return { assets: 1, covers: sql`r.asset_id = ${assetId}` }
  if (tag === undefined && where === undefined) return { assets: null, covers: sql`true` }
  const subject = await ctx.conditions.on(ctx, 'asset')
  const { id, from, usual } = subject
  const holds =
    where === undefined
      ? sql`${usual?.where ?? sql`true`} and ${id} in (select t.id from assets t
          where t.tenant_id = ${ctx.tenantId} and t.tags @> array[${tag ?? ''}::text])`
      : await compileScope(ctx, where.trim(), { subject })
  const rows = sql`from ${from} where ${subject.where} and ${holds}`
  const { n } = await ctx.db.one(sql<{ n: number }>`select count(*) as n ${rows}`)
  return { assets: n, covers: sql`r.asset_id in (select ${id} ${rows})` }
}

interface Asked {
  readonly target: Target
  readonly checkIds: readonly string[]
  /** It would be from this one. */
  readonly control: Pick<Control, 'framework' | 'id'> | undefined
  readonly limit: number
}

export interface Covered {
  readonly failing: number
  readonly excepted: number
  readonly checks: readonly {
    readonly checkId: string
    readonly failing: number
    readonly excepted: number
  }[]
  readonly listed: readonly { readonly id: string; readonly name: string }[]
}

/** An asset counts once, however many of the checks it fails; as excepted, if it is from all of them. */
export function covered(ctx: Ctx, { target, checkIds, control, limit }: Asked): Promise<Covered> {
  return ctx.db.one(sql<Covered>`
    with failing as materialized (
      select r.asset_id, r.check_id, ${isExcepted(ctx, control && controlSql(control))} as is_excepted
      from compliance_results r
      where r.tenant_id = ${ctx.tenantId} and r.check_id = any(${[...checkIds]}::text[]) and r.outcome = 'f'
        and ${target.covers}
    ), of_assets as materialized (
      select asset_id, bool_and(is_excepted) as is_excepted from failing group by asset_id
    )
    select (select count(*) from of_assets) as failing, (select count(*) from of_assets where is_excepted) as excepted,
      coalesce((select json_agg(c) from (
        select check_id as "checkId", count(*) as failing, count(*) filter (where is_excepted) as excepted
        from failing group by check_id) c), '[]') as checks,
      coalesce((select json_agg(l) from (
        select a.id, a.name from of_assets f join assets a on a.tenant_id = ${ctx.tenantId} and a.id = f.asset_id
        order by a.name, a.id limit ${limit}) l), '[]') as listed`)
}

/** In each control, how many failures it would cover that are not under an exception there yet. */
export function addedIn(
  ctx: Ctx,
  { covers }: Target,
  judging: readonly Judging[],
): Promise<(Judging & { readonly added: number })[]> {
  const control = { framework: sql<string>`p.framework`, controlId: sql<string>`p."controlId"` }
  return ctx.db.all(sql<Judging & { readonly added: number }>`
    select p.framework, p."controlId", p."checkId", (
      select count(*) from compliance_results r
      where r.tenant_id = ${ctx.tenantId} and r.check_id = p."checkId" and r.outcome = 'f' and ${covers}
        and not ${isExcepted(ctx, control)}) as added
    from json_to_recordset(${JSON.stringify(judging)}::json) as p(framework text, "controlId" text, "checkId" text)`)
}
