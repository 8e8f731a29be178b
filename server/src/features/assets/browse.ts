import type { DeviceType } from '#features/recognition/recognition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { unreachable } from '#platform/errors.ts'
import type { Listed, Page } from '#platform/list.ts'
import { isUuid } from '#platform/uuid.ts'
import { listAssets, type Asset, type AssetFilter } from './assets.ts'
import * as store from './browse-store.ts'

/** Looking through the assets from every side that the app offers. */
export interface AssetQuery extends AssetFilter {
  /** What the device is for. */
  readonly deviceType?: DeviceType | undefined
  readonly tag?: string | undefined
  readonly sourceId?: string | undefined
  readonly freshness?: Freshness | undefined
  /** First seen then or later; RFC 3339. */
  readonly newSince?: string | undefined
  readonly thisWeek?: Turn | undefined
  readonly sort?: AssetSort | undefined
  readonly direction?: 'asc' | 'desc' | undefined
}

export const assetSorts = ['lastSeen', 'name', 'firstSeen', 'ipAddress', 'assetType', 'riskScore'] as const
export type AssetSort = (typeof assetSorts)[number]

/** When a thing was last seen: within a day, a week, a month, or longer ago. Each leaves out those before it. */
export const freshnesses = ['day', 'week', 'month', 'older'] as const
export type Freshness = (typeof freshnesses)[number]

/** What the overview counts: first seen in the last seven days, or seen for the last time in the seven before. */
export const turns = ['came', 'went'] as const
export type Turn = (typeof turns)[number]

const DAY_MS = 86_400_000
const WEEK = 7
const DAYS: Readonly<Record<Exclude<Freshness, 'older'>, number>> = { day: 1, week: 7, month: 30 }

/** The newest sighting first, unless asked otherwise. */
export async function browseAssets(ctx: Ctx, page: Page, query: AssetQuery): Promise<Listed<Asset>> {
  if (isPlain(query)) return listAssets(ctx, page, query)
  return { items: await browsedAssets(ctx, page, query), total: await countAssets(ctx, query) }
}

/** A page without the total: counting may take longer than reading, and need not be done for each page. */
export async function browsedAssets(ctx: Ctx, page: Page, query: AssetQuery): Promise<readonly Asset[]> {
  permit(ctx, 'assets:read')
  if (isPlain(query)) return (await listAssets(ctx, page, query)).items
  return isImpossible(query) ? [] : store.page(ctx, page, wantedBy(ctx, query))
}

export async function countAssets(ctx: Ctx, query: AssetQuery): Promise<number> {
  permit(ctx, 'assets:read')
  return isImpossible(query) ? 0 : store.count(ctx, wantedBy(ctx, query))
}

const isImpossible = ({ sourceId, search, tag }: AssetQuery): boolean =>
  (sourceId !== undefined && !isUuid(sourceId)) || [search, tag].some((it) => it?.includes('\0'))

function wantedBy(ctx: Ctx, query: AssetQuery): Parameters<typeof store.count>[1] {
  const { freshness, thisWeek } = query
  const now = ctx.now()
  return {
    ...query,
    seen: freshness && seenBetween(freshness, now),
    came: thisWeek === 'came' ? daysBefore(now, WEEK) : undefined,
    went: thisWeek === 'went' ? goneBetween(now) : undefined,
  }
}

const narrowing = ['deviceType', 'tag', 'sourceId', 'freshness', 'newSince', 'thisWeek'] as const

/** The list that every door has, which is kept ready. */
const isPlain = ({ sort, direction, ...query }: AssetQuery): boolean =>
  !narrowing.some((it) => query[it]) &&
  (sort ?? 'lastSeen') === 'lastSeen' &&
  (direction ?? 'desc') === 'desc'

/** Quiet for a week, but not for two. */
export const goneBetween = (now: Date) => ({
  from: daysBefore(now, 2 * WEEK),
  before: daysBefore(now, WEEK),
})

export interface SeenBetween {
  readonly from?: Date
  readonly before?: Date
}

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
