import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** The exact numbers of living assets by type and of observations by source; the caller holds the tenant's lock. */

/** Adds to the counts by type: one more of each of `came`, one less of each of `went`. */
export async function count(ctx: Ctx, came: readonly string[], went: readonly string[]): Promise<void> {
  const sorted = changesOf(came, went)
  if (sorted.length === 0) return
  await ctx.db.run(sql`
    insert into asset_counts as c (tenant_id, asset_type, n)
    select ${ctx.tenantId}, asset_type, n
    from unnest(${sorted.map(([type]) => type)}::text[], ${sorted.map(([, n]) => n)}::bigint[]) as r(asset_type, n)
    on conflict (tenant_id, asset_type) do update set n = c.n + excluded.n`)
}

/** As `count`, by the ids of sources; of archived assets too. */
export async function countObservations(
  ctx: Ctx,
  came: readonly string[],
  went: readonly string[],
): Promise<void> {
  const sorted = changesOf(came, went)
  if (sorted.length === 0) return
  await ctx.db.run(sql`
    insert into asset_observation_counts as c (tenant_id, source_id, n)
    select ${ctx.tenantId}, source_id, n
    from unnest(${sorted.map(([id]) => id)}::uuid[], ${sorted.map(([, n]) => n)}::bigint[]) as r(source_id, n)
    on conflict (tenant_id, source_id) do update set n = c.n + excluded.n`)
}

/** In one order, so that two who count at once wait for each other and do not deadlock. */
function changesOf(came: readonly string[], went: readonly string[]): [string, number][] {
  const changes = new Map<string, number>()
  for (const each of came) changes.set(each, (changes.get(each) ?? 0) + 1)
  for (const each of went) changes.set(each, (changes.get(each) ?? 0) - 1)
  return [...changes].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
}
