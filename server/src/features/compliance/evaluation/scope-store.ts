import { sql, type RawBuilder } from 'kysely'
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

/** The numbers of the scopes that an asset is in, ascending. */
export function scopesOf(compiled: readonly CompiledScope[]): RawBuilder<number[]> {
  if (compiled.length === 0) return sql`'{}'::bigint[]`
  const parts = compiled
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, isIn }) => sql`case when ${isIn} then ${sql.lit(number)}::bigint end`)
  return sql`array_remove(array[${sql.join(parts)}], null)`
}

export interface ScopesOfAsset {
  readonly assetId: string
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** The next assets by their ids; `changed` are those whose scopes differ from what is written. Null: there are none. */
export async function nextAssets(
  ctx: Ctx,
  { from, scopes }: { readonly from: RawBuilder<unknown>; readonly scopes: RawBuilder<number[]> },
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<{ readonly last: string | null; readonly changed: readonly ScopesOfAsset[] }> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return { last: null, changed: [] }
  const changed = await ctx.db.all(sql<ScopesOfAsset>`
    select j.id as "assetId", coalesce(c.scopes, '{}') as before, j.scopes as after
    from (select a.id, ${scopes} as scopes from ${from} where a.tenant_id = ${ctx.tenantId} and a.id = any(${ids}::uuid[])) j
    left join compliance_assets c on c.tenant_id = ${ctx.tenantId} and c.asset_id = j.id
    where c.scopes is distinct from j.scopes`)
  return { last: ids.at(-1) ?? null, changed }
}

/** Writes in which scopes assets are now, and moves the counts by the difference. */
export async function writeScopes(ctx: Ctx, changed: readonly ScopesOfAsset[]): Promise<void> {
  if (changed.length === 0) return
  const rows = changed.map(({ assetId, after }) => ({ id: assetId, scopes: after }))
  await ctx.db.run(sql`
    insert into compliance_assets as c (tenant_id, asset_id, scopes)
    select ${ctx.tenantId}, id, scopes from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, scopes bigint[])
    on conflict (tenant_id, asset_id) do update set scopes = excluded.scopes`)
  const moves = new Map<number, number>()
  for (const { before, after } of changed) {
    for (const number of after) if (!before.includes(number)) moves.set(number, (moves.get(number) ?? 0) + 1)
    for (const number of before) if (!after.includes(number)) moves.set(number, (moves.get(number) ?? 0) - 1)
  }
  await ctx.db.run(sql`
    update compliance_scopes s set assets = s.assets + m.by
    from unnest(${[...moves.keys()]}::bigint[], ${[...moves.values()]}::bigint[]) as m(number, by)
    where s.tenant_id = ${ctx.tenantId} and s.number = m.number`)
}

/** Those that are written. */
export function scopesOfAssets(
  ctx: Ctx,
  assetIds: readonly string[],
): Promise<Pick<ScopesOfAsset, 'assetId' | 'before'>[]> {
  return ctx.db.all(sql<Pick<ScopesOfAsset, 'assetId' | 'before'>>`
    select asset_id as "assetId", scopes as before from compliance_assets
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

export async function forgetAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_assets where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

/** Assets that are gone and yet counted. */
export async function goneAssets(ctx: Ctx, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select c.asset_id as id from compliance_assets c
    where c.tenant_id = ${ctx.tenantId}
      and not exists (select from assets a where a.tenant_id = ${ctx.tenantId} and a.id = c.asset_id)
    limit ${limit}`)
  return rows.map(({ id }) => id)
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
