import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Whether any is archived, of the assets that are there. */
export async function archivedAmong(ctx: Ctx, assetIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from assets
    where tenant_id = ${ctx.tenantId} and id = any(${[...assetIds]}::uuid[]) and archived_at is not null`)
  return new Set(rows.map(({ id }) => id))
}
