import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Ids of the collectors that scan the target in place of the server; none: the server does. */
export async function collectorsOf(ctx: Ctx, targetId: string): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select collector_id as id from scan_target_collectors
    where tenant_id = ${ctx.tenantId} and target_id = ${targetId} order by collector_id`)
  return rows.map(({ id }) => id)
}

/** All that were there are replaced. */
export async function setCollectors(ctx: Ctx, targetId: string, ids: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    delete from scan_target_collectors where tenant_id = ${ctx.tenantId} and target_id = ${targetId}`)
  await ctx.db.run(sql`
    insert into scan_target_collectors (tenant_id, target_id, collector_id)
    select ${ctx.tenantId}, ${targetId}, it.id from unnest(${[...ids]}::uuid[]) as it (id)`)
}
