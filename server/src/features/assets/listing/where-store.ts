import { sql, type RawBuilder } from 'kysely'
import type { Matching } from '#platform/conditions/matching.ts'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { partWith, type Listed, type Page } from '#platform/http/paging.ts'
import type { Asset } from '../asset.ts'
import { assetsInOrder, pageInOrder } from '../asset-store.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'

/** Assets for which a condition holds: the newest sighting first, the greater id first among equals. */

export interface FilteredQuery {
  readonly filter: Filter
  readonly type?: string | undefined
  /** As the API's search; see `search` in newest-first-store.ts. */
  readonly search?: string | undefined
}

/** Every match is looked at once, for the total is exact; that is done again when something of the tenant has changed. */
export async function list(ctx: Ctx, { limit, offset }: Page, query: FilteredQuery): Promise<Listed<Asset>> {
  const { from, most } = partWith({ limit, offset })
  const [found] = await ctx.db.cached(sql<{ total: number; ids: readonly string[] }>`
    with matching as materialized (${matching(ctx, query)})
    select (select count(*) from matching) as total, array(
      select id from matching order by last_seen desc, id desc limit ${most} offset ${from}) as ids`)
  const ids = found?.ids.slice(offset - from, offset - from + limit) ?? []
  return pageInOrder(ctx, ids, found?.total ?? 0)
}

/** One page in the same order, deep in what was found to match. The condition is asked of few assets. */
export async function pageOfMatches(
  ctx: Ctx,
  { limit, offset }: Page,
  { filter, matches, type, search }: FilteredQuery & Matching,
): Promise<Asset[]> {
  if (offset >= matches.total) return []
  const few = matches.subjects(FEW_MAX)
  const rows = few
    ? sql`select a.id, a.last_seen from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...few]}::uuid[])`
    : matching(ctx, { filter, type, search })
  const ids = await ctx.db.all(sql<{ id: string }>`
    select id from (${rows}) as matching order by last_seen desc, id desc limit ${limit} offset ${offset}`)
  return ids.length > 0
    ? assetsInOrder(
        ctx,
        ids.map(({ id }) => id),
      )
    : []
}

/** Up to so many matches are read and sorted; among more, a page is found sooner by reading all assets in its order. */
const FEW_MAX = 10_000

/** In the order of ids. */
export async function idsAfter(
  ctx: Ctx,
  filter: Filter,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from (${matching(ctx, { filter })}) as matching
    where ${after === undefined ? sql`true` : sql`id > ${after}::uuid`} order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

function matching(ctx: Ctx, { filter, type, search }: FilteredQuery): RawBuilder<unknown> {
  const conditions = [filter.where, ...narrowed(ctx, { type, search })]
  return sql`select a.id, a.last_seen from ${filter.from} where ${sql.join(conditions, sql` and `)}`
}

/** What a list asks for beside its condition. */
export const narrowed = (
  ctx: Ctx,
  { type, search }: Omit<FilteredQuery, 'filter'>,
): RawBuilder<unknown>[] => [
  ...(type === undefined ? [] : [sql`a.asset_type = ${type}`]),
  ...(!search ? [] : [searched(ctx, search)]),
]

const searched = (ctx: Ctx, text: string): RawBuilder<unknown> => sql`exists (
  select from asset_search s where s.tenant_id = ${ctx.tenantId} and s.asset_id = a.id
    and strpos(s.text, ${searchSpelling(text)}) > 0)`
