import { sql } from 'kysely'
import { asJson, valuesOf } from '#platform/conditions/compose-subject.ts'
import type { Row } from '#platform/conditions/field.ts'
import type { PartField } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** What is and was installed, as conditions read it. */

export interface Held {
  readonly assetId: string
  readonly observationId: string
  readonly softwareIds: readonly number[]
}

export interface SoftwareTurn {
  readonly assetId: string
  readonly observationId: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly kind: 'installed' | 'removed' | 'changed'
  readonly softwareId: number
  /** Of a change of version: what it took the place of. */
  readonly formerId: number | null
}

/** Assets whose software changed since then, by id, those behind `after`. */
export async function assetsWithChanges(
  ctx: Ctx,
  { since, after, limit }: { readonly since: Date; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct o.asset_id as id from software_changes c
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = c.observation_id
    where c.tenant_id = ${ctx.tenantId} and c.at >= ${since} and c.origin <> 'os' and o.asset_id > ${after}
    order by o.asset_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

export function heldBy(ctx: Ctx, assetIds: readonly string[]): Promise<Held[]> {
  return ctx.db.all(sql<Held>`
    select o.asset_id as "assetId", t.observation_id as "observationId", t.ids as "softwareIds"
    from asset_observations o
    join software_sets t on t.tenant_id = ${ctx.tenantId} and t.observation_id = o.id and t.origin <> 'os'
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])`)
}

/** Since then, the newest first. */
export function turnsOf(ctx: Ctx, assetIds: readonly string[], since: Date): Promise<SoftwareTurn[]> {
  return ctx.db.all(sql<SoftwareTurn>`
    select o.asset_id as "assetId", c.observation_id as "observationId", c.kind, c.software_id as "softwareId",
      c.former_id as "formerId", (extract(epoch from c.at) * 1000)::float8 as "atMs"
    from asset_observations o
    join software_changes c on c.tenant_id = ${ctx.tenantId} and c.observation_id = o.id and c.origin <> 'os'
    where o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[]) and c.at >= ${since}
    order by c.at desc, c.id desc`)
}

/** Entries of the dictionary as conditions read them, by id. */
export async function rowsOf(
  ctx: Ctx,
  fields: readonly PartField[],
  ids: readonly number[],
): Promise<Map<number, Row>> {
  const rows = await ctx.db.all(sql<{ id: number; row: Row }>`
    select s.id, ${asJson(valuesOf(fields))} as "row" from software s
    where s.tenant_id = ${ctx.tenantId} and s.id = any(${[...ids]}::bigint[])`)
  return new Map(rows.map(({ id, row }) => [id, row]))
}
