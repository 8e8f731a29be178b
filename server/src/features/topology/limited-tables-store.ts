import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { LimitedTable } from '#platform/database/limited-db.ts'
import { isAmong, rowsWhere } from '#platform/database/limited-rows.ts'

/** Both ends must be seen: the other end is told by its name. */
export const limitedTables = (ctx: Ctx): Readonly<Record<string, LimitedTable>> => ({
  asset_relations: rowsWhere(
    ctx,
    'asset_relations',
    [isAmong(ctx, 't.from_id', 'assets.id'), isAmong(ctx, 't.to_id', 'assets.id')],
    ['assets'],
  ),
  topology_links: rowsWhere(
    ctx,
    'topology_links',
    [
      isAmong(ctx, 't.a_asset', 'assets.id'),
      sql`(t.b_asset is null or ${isAmong(ctx, 't.b_asset', 'assets.id')})`,
    ],
    ['assets'],
  ),
})
