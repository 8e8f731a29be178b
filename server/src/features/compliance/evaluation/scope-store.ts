import { sql, type RawBuilder } from 'kysely'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** In which scopes assets are, and how many are in each. Written under the lock of the adoptions alone. */

export interface Scope {
  readonly number: number
  /** A condition on assets. */
  readonly scope: string
}

export interface CompiledScope extends Scope {
  readonly isIn: RawBuilder<unknown>
}

export function scopes(ctx: Ctx): Promise<Scope[]> {
  return ctx.db.all(sql<Scope>`
    select number, scope from compliance_scopes where tenant_id = ${ctx.tenantId} order by number`)
}

/** Adds those that are missing, and removes those that are not among them. */
export async function replaceScopes(ctx: Ctx, wanted: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_scopes where tenant_id = ${ctx.tenantId} and scope <> all(${[...wanted]}::text[])`)
  await ctx.db.run(sql`
    insert into compliance_scopes (tenant_id, scope) select ${ctx.tenantId}, scope from unnest(${[...wanted]}::text[]) scope
    on conflict (tenant_id, scope) do nothing`)
}

export interface NewScope {
  readonly scope: string
  readonly isIn: RawBuilder<unknown>
  readonly subject: Pick<Subject, 'id' | 'from' | 'where'>
}

/** One more scope, with the assets that are in it now; one that is there already is left as it is. */
export async function addScope(ctx: Ctx, { scope, isIn, subject }: NewScope): Promise<void> {
  const { id, from, where } = subject
  const added = await ctx.db.maybe(sql<{ number: number }>`
    insert into compliance_scopes (tenant_id, scope) values (${ctx.tenantId}, ${scope})
    on conflict (tenant_id, scope) do nothing returning number`)
  if (!added) return
  const { assets } = await ctx.db.one(sql<{ assets: number }>`
    with judged as materialized (select ${id} as id from ${from} where ${where} and ${isIn}), written as (
      update compliance_assets c set scopes = array(select n from unnest(c.scopes || ${added.number}::bigint) as n order by 1)
      from judged j where c.tenant_id = ${ctx.tenantId} and c.asset_id = j.id returning c.asset_id
    )
    select count(*) as assets from written`)
  await ctx.db.run(sql`
    update compliance_scopes set assets = ${assets} where tenant_id = ${ctx.tenantId} and number = ${added.number}`)
}

/** The numbers of the scopes that an asset is in, ascending. */
export function scopesOf(compiled: readonly CompiledScope[]): RawBuilder<number[]> {
  if (compiled.length === 0) return sql`'{}'::bigint[]`
  const parts = compiled
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, isIn }) => sql`case when ${isIn} then ${sql.lit(number)}::bigint end`)
  return sql`array_remove(array[${sql.join(parts)}], null)`
}

export interface ScopesOfAsset {
  readonly id: string
  readonly isGone: boolean
  readonly scopes: readonly number[]
  /** Null: it was in none, and never judged. */
  readonly scopesBefore: readonly number[] | null
}

/** Writes in which scopes assets are now, and moves the counts by the difference. */
export async function writeScopes(ctx: Ctx, assets: readonly ScopesOfAsset[]): Promise<void> {
  const changed = assets.filter(
    ({ isGone, scopes, scopesBefore }) => isGone || scopesBefore?.join() !== scopes.join(),
  )
  if (changed.length === 0) return
  const kept = changed.filter(({ isGone }) => !isGone).map(({ id, scopes }) => ({ id, scopes }))
  if (kept.length > 0)
    await ctx.db.run(sql`
      insert into compliance_assets as c (tenant_id, asset_id, scopes)
      select ${ctx.tenantId}, id, scopes from json_to_recordset(${JSON.stringify(kept)}::json) as r(id uuid, scopes bigint[])
      on conflict (tenant_id, asset_id) do update set scopes = excluded.scopes`)
  const gone = changed.filter(({ isGone }) => isGone).map(({ id }) => id)
  if (gone.length > 0)
    await ctx.db.run(sql`
      delete from compliance_assets where tenant_id = ${ctx.tenantId} and asset_id = any(${gone}::uuid[])`)
  await moveScopes(ctx, changed)
}

async function moveScopes(ctx: Ctx, changed: readonly ScopesOfAsset[]): Promise<void> {
  const moves = new Map<number, number>()
  for (const { scopes, scopesBefore } of changed) {
    for (const number of scopes) moves.set(number, (moves.get(number) ?? 0) + 1)
    for (const number of scopesBefore ?? []) moves.set(number, (moves.get(number) ?? 0) - 1)
  }
  await ctx.db.run(sql`
    update compliance_scopes s set assets = s.assets + m.by
    from unnest(${[...moves.keys()]}::bigint[], ${[...moves.values()]}::bigint[]) as m(number, by)
    where s.tenant_id = ${ctx.tenantId} and s.number = m.number and m.by <> 0`)
}

/** Counts anew; answers by how many assets the counts were wrong. */
export async function recountScopes(ctx: Ctx): Promise<number> {
  const { wrong } = await ctx.db.one(sql<{ wrong: number }>`
    with counted as (
      select number, count(*) as n from compliance_assets c cross join unnest(c.scopes) as number
      where c.tenant_id = ${ctx.tenantId} group by number
    ), wrong as (
      select s.number, s.assets, coalesce(c.n, 0) as n from compliance_scopes s
      left join counted c on c.number = s.number
      where s.tenant_id = ${ctx.tenantId} and s.assets <> coalesce(c.n, 0)
    ), mended as (
      update compliance_scopes s set assets = w.n from wrong w where s.tenant_id = ${ctx.tenantId} and s.number = w.number
    )
    select coalesce(sum(abs(assets - n)), 0)::bigint as wrong from wrong`)
  return wrong
}
