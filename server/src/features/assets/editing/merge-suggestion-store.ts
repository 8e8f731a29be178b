import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface StoredSuggestion {
  readonly assetIdA: string
  readonly assetIdB: string
  readonly reason: string
  readonly suggestedBy: string
  readonly flowId: string | null
}

/** The pair in either order. False: it was suggested before, which stays as it is. */
export async function add(ctx: Ctx, it: StoredSuggestion): Promise<boolean> {
  const written = await ctx.db.run(sql`
    insert into asset_merge_suggestions
      (tenant_id, asset_a, asset_b, reason, suggested_by, flow_id, suggested_at)
    values (${ctx.tenantId}, least(${it.assetIdA}::uuid, ${it.assetIdB}::uuid),
      greatest(${it.assetIdA}::uuid, ${it.assetIdB}::uuid), ${it.reason}, ${it.suggestedBy}, ${it.flowId},
      ${ctx.now()})
    on conflict (tenant_id, asset_a, asset_b) do nothing`)
  return written === 1
}

export async function remove(ctx: Ctx, assetIdA: string, assetIdB: string): Promise<void> {
  await ctx.db.run(sql`
    delete from asset_merge_suggestions where tenant_id = ${ctx.tenantId}
      and asset_a = least(${assetIdA}::uuid, ${assetIdB}::uuid)
      and asset_b = greatest(${assetIdA}::uuid, ${assetIdB}::uuid)`)
}

/** Of these assets, those of which an observation must not be in one asset with one of `assetId`. */
export async function keptApart(
  ctx: Ctx,
  assetId: string,
  others: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct theirs.asset_id as id
    from asset_observations mine
    join asset_constraints c on c.tenant_id = ${ctx.tenantId} and c.kind = 'cannot_link'
      and (c.a = mine.id or c.b = mine.id)
    join asset_observations theirs on theirs.tenant_id = ${ctx.tenantId}
      and theirs.id = case when c.a = mine.id then c.b else c.a end
    where mine.tenant_id = ${ctx.tenantId} and mine.asset_id = ${assetId}
      and theirs.asset_id = any(${[...others]}::uuid[])`)
  return new Set(rows.map(({ id }) => id))
}

/** Other living assets with an identifier of that type that `assetId` has, too; the oldest first. */
export async function othersWithSame(
  ctx: Ctx,
  { assetId, type, limit }: { readonly assetId: string; readonly type: string; readonly limit: number },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    with mine as materialized (
      select distinct i.value from asset_observations o
      join asset_identifiers i on i.tenant_id = ${ctx.tenantId} and i.observation_id = o.id
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = ${assetId} and i.type = ${type}
    )
    select a.id from assets a where a.tenant_id = ${ctx.tenantId} and a.archived_at is null
      and a.id <> ${assetId} and a.id in (
        select o.asset_id from mine
        join asset_identifiers i on i.tenant_id = ${ctx.tenantId} and i.type = ${type} and i.value = mine.value
        join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = i.observation_id)
    order by a.first_seen, a.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
