import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'

export interface AssetPair {
  readonly assetIdA: string
  readonly assetIdB: string
  readonly nameA: string
  readonly nameB: string
  readonly score: number
  readonly reasons: readonly unknown[]
  readonly veto: unknown
  readonly suggestion: Suggestion | null
}

/** That a person or a flow takes two assets for one. */
export interface Suggestion {
  /** The person's address, or kind and id of the actor. */
  readonly by: string
  readonly flowId: string | null
  readonly at: string
  readonly reason: string
}

/**
 * Pairs of living assets that may be one, highest score first; of several candidate pairs of observations between two assets
 * the one with the highest score. A pair that was only suggested has the score 0.
 */
export async function candidatePairs(
  ctx: Ctx,
  { limit, offset }: Page,
  assetId?: string,
): Promise<Listed<AssetPair>> {
  const [wanted, suggested] =
    assetId === undefined
      ? [sql`true`, sql`true`]
      : [sql`${assetId} in (x.asset_id, y.asset_id)`, sql`${assetId} in (asset_a, asset_b)`]
  const rows = await ctx.db.all(sql<AssetPair & { total: number }>`
    with pairs as (
      select distinct on (least(x.asset_id, y.asset_id), greatest(x.asset_id, y.asset_id))
        least(x.asset_id, y.asset_id) as asset_a, greatest(x.asset_id, y.asset_id) as asset_b, c.score, c.reasons, c.veto
      from asset_candidates c
      join asset_observations x on x.id = c.a and x.tenant_id = ${ctx.tenantId}
      join asset_observations y on y.id = c.b and y.tenant_id = ${ctx.tenantId}
      where c.tenant_id = ${ctx.tenantId} and x.asset_id <> y.asset_id and ${wanted}
      order by 1, 2, c.score desc, c.a, c.b
    ), suggested as (
      select asset_a, asset_b, jsonb_build_object('by', suggested_by, 'flowId', flow_id,
        'at', suggested_at, 'reason', reason) as suggestion
      from asset_merge_suggestions where tenant_id = ${ctx.tenantId} and ${suggested}
    ), all_pairs as materialized (
      select asset_a, asset_b, coalesce(score, 0) as score, coalesce(reasons, '[]') as reasons, veto, suggestion
      from pairs full join suggested using (asset_a, asset_b)
    )
    select a.id as "assetIdA", b.id as "assetIdB", a.name as "nameA", b.name as "nameB", score, reasons, veto, suggestion,
      count(*) over () as total
    from all_pairs p
    cross join lateral (${livingAsset(ctx, sql`p.asset_a`)}) a
    cross join lateral (${livingAsset(ctx, sql`p.asset_b`)}) b
    order by 5 desc, a.id, b.id limit ${limit} offset ${offset}`)
  return { items: rows.map(({ total: _total, ...pair }) => pair), total: rows[0]?.total ?? 0 }
}

/** Looked up by its id; joined, all assets were read for however few pairs. */
const livingAsset = (ctx: Ctx, id: RawBuilder<unknown>) => sql`
  select found.id, found.name from assets found
  where found.tenant_id = ${ctx.tenantId} and found.id = ${id} and found.archived_at is null limit 1`
