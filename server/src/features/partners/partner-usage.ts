import { countAssets } from '#features/assets/assets.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { notFound } from '#platform/errors.ts'
import { findPartner } from './partner-access.ts'
import * as store from './request-count-store.ts'

export type { DayCount } from './request-count-store.ts'

/** How far a partner has used what its tenant allows it. Nothing is refused beyond the quota. */
export interface PartnerQuota {
  readonly tenantId: string
  /** As many as GET /assets tells of. */
  readonly assetCount: number
  readonly quotaLimit: number
  /** With two decimals; more than 100 beyond the quota. */
  readonly quotaUsedPct: number
  /** Since 00:00 UTC, refused ones included. */
  readonly requestsToday: number
  readonly rateLimit: number
  /** The next 00:00 UTC. */
  readonly resetAt: string
}

/** `tenantId`: any other than the partner's own is 404. */
export async function partnerQuota(
  ctx: Ctx,
  partnerId: string,
  tenantId = ctx.tenantId,
): Promise<PartnerQuota> {
  permit(ctx, 'partners:read')
  const partner = await findPartner(ctx, partnerId)
  if (tenantId.toLowerCase() !== partner.tenantId) throw notFound('tenant')
  const { requests, endsAt } = await store.today(ctx, partner.id)
  const assetCount = await countAssets(ctx)
  return {
    tenantId: partner.tenantId,
    assetCount,
    quotaLimit: partner.quotaLimit,
    quotaUsedPct: Math.round((assetCount / partner.quotaLimit) * 10_000) / 100,
    requestsToday: requests,
    rateLimit: partner.rateLimit,
    resetAt: endsAt,
  }
}

const DAYS = 30

/** Requests on each of the last 30 days of UTC, the oldest first, today the last. */
export async function partnerRequests(ctx: Ctx, partnerId: string): Promise<store.DayCount[]> {
  permit(ctx, 'partners:read')
  const { id } = await findPartner(ctx, partnerId)
  return store.perDay(ctx, id, DAYS)
}

/** Requests of days gone by that this installation did not count itself, the newest (yesterday) first. */
export async function addPastRequests(
  ctx: Ctx,
  partnerId: string,
  requests: readonly number[],
): Promise<void> {
  permit(ctx, 'partners:write')
  const { id } = await findPartner(ctx, partnerId)
  const counts = requests.slice(0, DAYS - 1).map((n, back) => ({ daysBack: back + 1, requests: n }))
  await store.addPast(ctx, id, counts)
}

const KEPT_DAYS = 400

export async function forgetOldRequests(system: Ctx): Promise<void> {
  await store.removeBefore(system, KEPT_DAYS)
}
