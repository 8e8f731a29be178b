import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Which living assets a source reports, and others beside it; in the order of their ids, behind `after`. */

export interface NamedAsset {
  readonly id: string
  readonly name: string
}

/** Below every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

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

/** The source does not report them, though it reports others of their type. */
export function notOfSource(ctx: Ctx, { sourceId, after, limit }: Stretch): Promise<NamedAsset[]> {
  return ctx.db.all(sql<NamedAsset>`
    select a.id, a.name from assets a
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.id > ${after}
      and not ${reportedBy(ctx, sql`o.source_id = ${sourceId}`)}
      and a.asset_type in (
        select distinct t.asset_type from asset_observations o
        join assets t on t.tenant_id = ${ctx.tenantId} and t.id = o.asset_id
        where o.tenant_id = ${ctx.tenantId} and o.source_id = ${sourceId})
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
