import { totalOf } from '#platform/conditions/lists/total-of-page.ts'
import { matching } from '#platform/conditions/matching.ts'
import { withCondition } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid, unreachable } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Matches, MatchQuery } from '#platform/database/db.ts'
import type { Asset } from '../asset.ts'
import { assetsInOrder } from '../asset-store.ts'
import { listAssets } from '../assets.ts'
import type { AssetQuery, Freshness, SeenBetween } from './asset-query.ts'
import * as store from './filter-and-sort-store.ts'
import { MANY } from './newest-first-store.ts'
import { readSearchTerm } from './search-term.ts'

const DAY_MS = 86_400_000
const WEEK = 7
const DAYS: Readonly<Record<Exclude<Freshness, 'older'>, number>> = { day: 1, week: 7, month: 30 }

/** A page and the total; last seen first by default. */
export async function queryAssets(ctx: Ctx, page: Page, query: AssetQuery): Promise<Listed<Asset>> {
  if (isPlain(query)) return listAssets(ctx, page, { type: query.type })
  const items = await queryAssetPage(ctx, page, query)
  return { items, total: await totalOf(items.length, page, () => countAssets(ctx, query)) }
}

/** A page without the total: counting may take longer than reading, and need not be done for each page. */
export async function queryAssetPage(ctx: Ctx, page: Page, query: AssetQuery): Promise<readonly Asset[]> {
  permit(ctx, 'assets:read')
  if (isPlain(query)) return (await listAssets(ctx, page, { type: query.type })).items
  if (isImpossible(query)) return []
  const among = await pageOfMatches(ctx, page, query)
  return among ?? filtered(ctx, query, (inner, conditions) => store.page(inner, page, conditions))
}

export async function countAssets(ctx: Ctx, query: AssetQuery): Promise<number> {
  permit(ctx, 'assets:read')
  if (isImpossible(query)) return 0
  const known = (await matchesOf(ctx, query))?.total
  if (known !== undefined) return known
  const count = await filtered(ctx, query, store.count)
  const question = count > MANY ? searchOf(ctx, query) : undefined
  if (question) ctx.db.cacheIfAskedAgain?.(question)
  return count
}

/** Among so many matches, a page in any order is sorted at once. */
const FEW_MAX = 10_000

/** Undefined where it has to be looked for among all assets. */
async function pageOfMatches(ctx: Ctx, page: Page, query: AssetQuery): Promise<readonly Asset[] | undefined> {
  const matches = await matchesOf(ctx, query)
  if (!matches) return undefined
  const ids = isInUsualOrder(query) ? matches.page(page.offset, page.limit) : undefined
  if (ids) return assetsInOrder(ctx, ids)
  const few = matches.subjects(FEW_MAX)
  return few && store.pageAmong(ctx, page, query, few)
}

/**
 * Of a condition or a search that many match, and what asks no clock; undefined where there is neither, or more, or answers
 * cannot be shared.
 */
async function matchesOf(ctx: Ctx, { where, ...query }: AssetQuery): Promise<Matches | undefined> {
  if (asksMore(query)) return undefined
  if (!where) {
    const question = searchOf(ctx, query)
    return question && (await ctx.db.cachedMatches?.(question))
  }
  const conditions = conditionsOf(ctx, query)
  const narrowed = (inner: Ctx) => store.narrowed(inner, conditions)
  return (await matching(ctx, { subject: 'asset', text: where, narrowed }))?.matches
}

const asksMore = ({ freshness, newSince, thisWeek, archived }: AssetQuery): boolean =>
  [freshness, newSince, thisWeek, archived].some(Boolean)

/** Of a search without a condition. */
function searchOf(ctx: Ctx, query: AssetQuery): MatchQuery | undefined {
  if (query.where || asksMore(query)) return undefined
  return store.searchQuestion(ctx, conditionsOf(ctx, query))
}

type Conditions = store.QueryConditions

/** Throws 400, which names `where`, for a condition that cannot be read or takes too long. */
function filtered<T>(
  ctx: Ctx,
  { where, ...query }: AssetQuery,
  work: (ctx: Ctx, conditions: Conditions) => Promise<T>,
): Promise<T> {
  if (where && query.archived) throw invalid('archived', 'is said in the condition: archived = yes')
  const conditions = conditionsOf(ctx, query)
  return where
    ? withCondition(ctx, { subject: 'asset', text: where }, (inner, filter) =>
        work(inner, { ...conditions, filter }),
      )
    : work(ctx, conditions)
}

const isImpossible = ({ sourceId, search, tag }: AssetQuery): boolean =>
  (sourceId !== undefined && !isUuid(sourceId)) ||
  [search, tag].some((it) => it?.includes('\0')) ||
  (search?.trim().includes('\n') ?? false)

function conditionsOf(ctx: Ctx, query: Omit<AssetQuery, 'where'>): Conditions {
  const { search, freshness, thisWeek, ...others } = query
  const now = ctx.now()
  return {
    ...others,
    term: search?.trim() ? readSearchTerm(search) : undefined,
    seen: freshness && seenBetween(freshness, now),
    came: thisWeek === 'came' ? daysBefore(now, WEEK) : undefined,
    went: thisWeek === 'went' ? disappearedThisWeek(now) : undefined,
  }
}

const narrowing = [
  'where',
  'search',
  'deviceType',
  'tag',
  'sourceId',
  'freshness',
  'newSince',
  'thisWeek',
  'archived',
] as const

/** No filter but the type: the total comes from asset_counts. */
const isPlain = ({ sort, direction, ...query }: AssetQuery): boolean =>
  !narrowing.some((it) => query[it]) && isInUsualOrder({ sort, direction })

const isInUsualOrder = ({ sort, direction }: Pick<AssetQuery, 'sort' | 'direction'>): boolean =>
  (sort ?? 'lastSeen') === 'lastSeen' && (direction ?? 'desc') === 'desc'

/** `lastSeen` range of assets that were not seen this week but in the week before: 14 to 7 days ago. */
export const disappearedThisWeek = (now: Date) => ({
  from: daysBefore(now, 2 * WEEK),
  before: daysBefore(now, WEEK),
})

export function seenBetween(freshness: Freshness, now: Date): SeenBetween {
  const ago = (it: keyof typeof DAYS) => daysBefore(now, DAYS[it])
  switch (freshness) {
    case 'day':
      return { from: ago('day') }
    case 'week':
      return { from: ago('week'), before: ago('day') }
    case 'month':
      return { from: ago('month'), before: ago('week') }
    case 'older':
      return { before: ago('month') }
    default:
      return unreachable(freshness)
  }
}

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)
