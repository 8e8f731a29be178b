import { sql } from 'kysely'
import { invalid } from '#platform/errors.ts'
import { withCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { among } from '../kinds/asset-rows-store.ts'

export const SIMULATED_MAX = 10_000

/** Living assets among the ids, ascending; undefined: all. Throws 400 for more than 10,000. */
export async function chosenAssets(ctx: Ctx, assetIds: readonly string[] | undefined): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select a.id from assets a
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and ${among(assetIds, 'a.id')}
    order by a.id limit ${SIMULATED_MAX + 1}`)
  return withinLimit(rows, 'asset_ids')
}

/** Living assets that the condition is true of. Throws 400, which names `where`. */
export function assetsWhere(ctx: Ctx, text: string): Promise<string[]> {
  return withCondition(ctx, { subject: 'asset', text }, async (inner, { from, where }) =>
    withinLimit(
      await inner.db.all(sql<{ id: string }>`
        select a.id from ${from} where ${where} and a.archived_at is null order by a.id limit ${SIMULATED_MAX + 1}`),
      'where',
    ),
  )
}

function withinLimit(rows: readonly { readonly id: string }[], field: string): string[] {
  if (rows.length > SIMULATED_MAX)
    throw invalid(field, `a simulation takes at most ${SIMULATED_MAX} assets; choose fewer`)
  return rows.map(({ id }) => id)
}
