import { sql } from 'kysely'
import type { Ctx } from '../../src/platform/context.ts'

/** What who is limited to assets with the tag `near` sees of each table: how many rows, and of how many. */
export async function seenWithinLimit(
  ctx: Ctx,
  tables: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const limited = ctx.conditions.limit(ctx, 'tag = near')
  const count = async ({ db, tenantId }: Ctx, table: string): Promise<number> =>
    (
      await db.one(sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where tenant_id = ${tenantId}`)
    ).count
  const seen: Record<string, string> = {}
  for (const table of tables) seen[table] = `${await count(limited, table)} of ${await count(ctx, table)}`
  return seen
}
