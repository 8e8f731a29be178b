import { matching } from '#platform/conditions/matching.ts'
import { withCondition, withinTime, type Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Finding } from '../findings/finding.ts'
import { conditions, findingsInOrder, type ListFilter } from '../findings/list-store.ts'
import * as store from './where-store.ts'

export interface WhereQuery {
  readonly where: string
  /** What has to hold beside the condition, which may ask about the same. */
  readonly wanted: (asked: Pick<Filter, 'condition'>) => Partial<ListFilter>
}

/** Findings for which a condition holds, the highest score first. Throws 400, which names `where`, as `withCondition`. */
export async function listWhere(
  ctx: Ctx,
  page: Page,
  { where, wanted }: WhereQuery,
): Promise<Listed<Finding>> {
  const written = { subject: 'finding', text: where }
  const found = await matching(ctx, {
    ...written,
    narrowed: (inner, asked) => [conditions(inner, wanted(asked), 'f')],
  })
  if (!found)
    return withCondition(ctx, written, (inner, filter) => store.list(inner, page, filter, wanted(filter)))
  const { matches, filter } = found
  const ids = matches.page(page.offset, page.limit)
  const items = ids
    ? await findingsInOrder(ctx, ids)
    : await withinTime(ctx, 'where', (inner) => store.pageOfMatches(inner, page, filter, wanted(filter)))
  return { items, total: matches.total }
}
