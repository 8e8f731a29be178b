import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { MatchQuery } from '#platform/database/db.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Asset } from '../asset.ts'
import { assetColumns, pageInOrder } from '../asset-store.ts'
import { assetTypes } from '../observation.ts'
import { manyMatches } from './many-matches-store.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'

/** Lists of living assets by last_seen descending, then by id descending. */

/** The total comes even with an empty page, on a row without an asset. */
type Row = (Asset | { readonly id: null }) & { readonly total: number }

function listed(rows: readonly Row[]): Listed<Asset> {
  const items = rows.filter((row): row is Asset & { total: number } => row.id !== null)
  return { items: items.map(({ total: _total, ...asset }) => asset), total: rows[0]?.total ?? 0 }
}

/** So many rows are read for a page of up to as many. */
const ROWS_READ = [1, 10, 25, 50, 100, 200, 500, 1000]

/**
 * The first page, whose index is read from its beginning. With these constants PostgreSQL plans the statement once for a
 * connection; where limit and type are parameters, each time: it cannot know how few rows they leave. Nothing on the first
 * page is nothing at all, so the total needs no row of its own.
 */
async function firstPage(ctx: Ctx, limit: number, type?: string): Promise<Listed<Asset>> {
  const most = ROWS_READ.find((it) => it >= limit)
  const isUsual = assetTypes.some((it) => it === type)
  const ofType = type === undefined ? sql`true` : sql`asset_type = ${isUsual ? sql.lit(type) : type}`
  const mine = sql`tenant_id = ${ctx.tenantId} and ${ofType}`
  const rows = await ctx.db.all(sql<Asset & { total: number }>`
    select (select coalesce(sum(n), 0)::bigint from asset_counts where ${mine}) as total, ${assetColumns}
    from assets a where ${mine} and archived_at is null
    order by last_seen desc, id desc limit ${most === undefined ? limit : sql.lit(most)}`)
  return listed(rows.length > limit ? rows.slice(0, limit) : rows)
}

/**
 * Total and page of one snapshot. The ids come from an index-only scan that begins at the nearer end: the last page
 * costs the same as the first, and the middle, the worst case, half of the index.
 */
export async function list(ctx: Ctx, { limit, offset }: Page, type?: string): Promise<Listed<Asset>> {
  if (offset === 0) return firstPage(ctx, limit, type)
  const ofType = type === undefined ? sql`true` : sql`asset_type = ${type}`
  const mine = sql`tenant_id = ${ctx.tenantId} and ${ofType}`
  const rows = await ctx.db.all(sql<Row>`
    with total as materialized (select coalesce(sum(n), 0)::bigint as n from asset_counts where ${mine}),
    page as materialized (
      (select id from assets where ${mine} and archived_at is null and ${offset}::bigint <= (select n / 2 from total)
       order by last_seen desc, id desc limit ${limit} offset ${offset})
      union all
      (select id from assets where ${mine} and archived_at is null and ${offset}::bigint > (select n / 2 from total)
       order by last_seen, id
       limit (select greatest(least(${limit}::bigint, n - ${offset}), 0) from total)
       offset (select greatest(n - ${offset} - ${limit}::bigint, 0) from total))
    )
    ${pageWith(ctx, sql`total`)}`)
  return listed(rows)
}

/** The assets of `page` with the total; joined one by one, whatever number of rows the planner estimates. */
const pageWith = (ctx: Ctx, total: ReturnType<typeof sql>) => sql`
  select t.n as total, p.* from ${total} t left join (
    select each.* from page cross join lateral (
      select ${assetColumns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = page.id limit 1
    ) each
  ) p on true
  order by p."lastSeen" desc, p.id desc`

/** From so many matches on they are cached; fewer are found as quickly by the index. */
export const MANY = 5_000

/** Matches `term` as a substring, case-insensitive; it has no wildcards. */
export async function search(
  ctx: Ctx,
  { limit, offset }: Page,
  term: string,
  type?: string,
): Promise<Listed<Asset>> {
  const text = searchSpelling(term)
  const question = searchQuestion(ctx, text, type)
  const known = await ctx.db.cachedMatches?.(question)
  const page = known?.page(offset, limit)
  if (known && page) return pageInOrder(ctx, page, known.total)
  const found = await ctx.db.all(sql<{ id: string | null; total: number }>`
    select id, total from search_assets(${text}, ${type ?? null}, ${limit}, ${offset})`)
  const ids = found.flatMap(({ id }) => id ?? [])
  const total = found[0]?.total ?? 0
  if (total > MANY) ctx.db.cacheIfAskedAgain?.(question)
  if (ids.length === 0) return { items: [], total }
  const items = await ctx.db.all(sql<Asset>`
    select ${assetColumns} from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${ids}::uuid[])
    order by a.last_seen desc, a.id desc`)
  return { items, total: total - (ids.length - items.length) }
}

/** Of the spelled text. */
export function searchQuestion(ctx: Ctx, text: string, type?: string): MatchQuery {
  return manyMatches(ctx, {
    // no `exists`, which the planner turns into a join that reads all texts for the first matches
    holds: sql`(select strpos(s.text, ${text}) > 0 from asset_search s
      where s.tenant_id = ${ctx.tenantId} and s.asset_id = a.id)`,
    ids: sql`select search_matches(${text}) as id`,
    beside: type === undefined ? [] : [sql`a.asset_type = ${type}`],
  })
}
