import { findPlaces } from '#features/records/records.ts'
import { listTenants } from '#features/tenancy/tenancy.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import * as store from './inventory-days-store.ts'

const DAY_MS = 86_400_000
const TREND_DAYS_MAX = 3_660

export interface InventoryTrend {
  /** `YYYY-MM-DD`, of the first night that was counted at all; null: none was yet. */
  readonly countedSince: string | null
  /** The oldest first; nights on which nothing was counted are left out. */
  readonly nights: readonly store.NightlyCount[]
}

/** How many assets and open findings there were, each night of so many days. */
export async function inventoryTrend(ctx: Ctx, days: number): Promise<InventoryTrend> {
  permit(ctx, 'assets:read')
  if (!Number.isInteger(days) || days < 1 || days > TREND_DAYS_MAX)
    throw invalid('days', `must be a whole number from 1 to ${TREND_DAYS_MAX}`)
  const since = new Date(ctx.now().getTime() - days * DAY_MS).toISOString().slice(0, 10)
  const mayFindings = ctx.actor.may('vulnerabilities:read')
  const nights = await store.nightsSince(ctx, since)
  return {
    countedSince: await store.firstNight(ctx),
    nights: nights.map((night) => (mayFindings ? night : { ...night, openFindings: null })),
  }
}

/** Writes the counts of the day for every tenant, for the reports that look back. Once a day is enough. */
export async function writeInventoryDays(system: Ctx): Promise<void> {
  permit(system, 'assets:read')
  const day = system.now().toISOString().slice(0, 10)
  for (const { id: tenantId } of await listTenants(system)) {
    const ctx = { ...system, tenantId }
    await store.writeDay(ctx, day, await findPlaces(ctx))
  }
}
