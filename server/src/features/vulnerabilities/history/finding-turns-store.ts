import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** What a finding became at a moment. */
export interface FindingTurn {
  readonly assetId: string
  readonly cveId: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly status: string
  readonly severity: string
  /** CVSS, 0 to 10. */
  readonly score: number
}

/** Assets of which a finding changed since then, by id, those behind `after`. */
export async function assetsWithTurns(
  ctx: Ctx,
  { since, after, limit }: { readonly since: Date; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct asset_id as id from findings
    where tenant_id = ${ctx.tenantId} and asset_id > ${after} and changed_at >= ${since}
    order by asset_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** All that became of the findings of these assets, the oldest first. */
export function turnsOf(ctx: Ctx, assetIds: readonly string[]): Promise<FindingTurn[]> {
  return ctx.db.all(sql<FindingTurn>`
    select f.asset_id as "assetId", f.cve_id as "cveId", (extract(epoch from h.at) * 1000)::float8 as "atMs",
      h.status, h.severity, h.score::float8 / 10 as score
    from findings f
    join finding_history h on h.tenant_id = ${ctx.tenantId} and h.finding_id = f.id
    where f.tenant_id = ${ctx.tenantId} and f.asset_id = any(${[...assetIds]}::uuid[])
    order by h.at, h.id`)
}
