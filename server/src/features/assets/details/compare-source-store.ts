import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Which living assets a source reports, and others beside it; in the order of their ids, behind `after`. */

export interface NamedAsset {
  readonly id: string
  readonly name: string
}

const reportedBy = (ctx: Ctx, condition: ReturnType<typeof sql>) => sql`exists (
  select from asset_observations o where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id and ${condition})`

export interface Stretch {
  readonly sourceId: string
  readonly after: string
  readonly limit: number
}

/** No other source reports them. */
export function onlyOfSource(ctx: Ctx, { sourceId, after, limit }: Stretch): Promise<NamedAsset[]> {
  return ctx.db.all(sql<NamedAsset>`
    select a.id, a.name from assets a
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.id > ${after}
      and ${reportedBy(ctx, sql`o.source_id = ${sourceId}`)}
      and not ${reportedBy(ctx, sql`o.source_id <> ${sourceId}`)}
    order by a.id limit ${limit}`)
}

/** The types of what the source reports, archived assets among it. */
export async function typesOfSource(ctx: Ctx, sourceId: string): Promise<string[]> {
  const found = await ctx.db.all(sql<{ type: string }>`
    select distinct a.asset_type as type from asset_observations o
    join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id
    where o.tenant_id = ${ctx.tenantId} and o.source_id = ${sourceId}`)
  return found.map(({ type }) => type)
}

/** Of these types, those that the source does not report. */
export function notOfSource(
  ctx: Ctx,
  { sourceId, after, limit }: Stretch,
  types: readonly string[],
): Promise<NamedAsset[]> {
  return ctx.db.all(sql<NamedAsset>`
    select a.id, a.name from assets a
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.id > ${after}
      and not ${reportedBy(ctx, sql`o.source_id = ${sourceId}`)}
      and a.asset_type = any(${types}::text[])
    order by a.id limit ${limit}`)
}

/** The source and another report them. */
export function alsoOfSource(ctx: Ctx, { sourceId, after, limit }: Stretch): Promise<NamedAsset[]> {
  return ctx.db.all(sql<NamedAsset>`
    select a.id, a.name from assets a
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.id > ${after}
      and ${reportedBy(ctx, sql`o.source_id = ${sourceId}`)}
      and ${reportedBy(ctx, sql`o.source_id <> ${sourceId}`)}
    order by a.id limit ${limit}`)
}
