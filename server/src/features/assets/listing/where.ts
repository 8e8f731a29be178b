import { matching } from '#platform/conditions/matching.ts'
import { withCondition, withinTime } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Asset } from '../asset.ts'
import { pageInOrder } from '../asset-store.ts'
import * as store from './where-store.ts'

export interface WhereQuery extends Omit<store.FilteredQuery, 'filter'> {
  readonly where: string
}

/** Assets for which a condition holds, last seen first. Throws 400, which names `where`, as `withCondition`. */
export async function listWhere(
  ctx: Ctx,
  page: Page,
  { where, ...query }: WhereQuery,
): Promise<Listed<Asset>> {
  const written = { subject: 'asset', text: where }
  const found = await matching(ctx, { ...written, narrowed: (inner) => store.narrowed(inner, query) })
  if (!found)
    return withCondition(ctx, written, (inner, filter) => store.list(inner, page, { ...query, filter }))
  const ids = found.matches.page(page.offset, page.limit)
  const { total } = found.matches
  if (ids) return pageInOrder(ctx, ids, total)
  const items = await withinTime(ctx, 'where', (inner) =>
    store.pageOfMatches(inner, page, { ...query, ...found }),
  )
  return { items, total }
}
