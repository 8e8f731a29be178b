import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** The exact numbers of living assets by type; the caller holds the tenant's lock. */

/** Adds to the counts by type: one more of each of `came`, one less of each of `went`. */
export async function count(ctx: Ctx, came: readonly string[], went: readonly string[]): Promise<void> {
  const changes = new Map<string, number>()
  for (const type of came) changes.set(type, (changes.get(type) ?? 0) + 1)
  for (const type of went) changes.set(type, (changes.get(type) ?? 0) - 1)
  const sorted = [...changes].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return
  await ctx.db.run(sql`
    insert into asset_counts as c (tenant_id, asset_type, n)
    select ${ctx.tenantId}, asset_type, n
    from unnest(${sorted.map(([type]) => type)}::text[], ${sorted.map(([, n]) => n)}::bigint[]) as r(asset_type, n)
    on conflict (tenant_id, asset_type) do update set n = c.n + excluded.n`)
}
