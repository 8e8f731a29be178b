import { sql } from 'kysely'
import { readByCursor } from '#platform/database/cursor.ts'
import type { Ctx } from '#platform/context.ts'
import { reported } from '../kinds/asset-rows-store.ts'
import type { ForecastTerms, Replaceable, ReplacementPrice } from './replacement.ts'

export interface BudgetSettings {
  /** ISO 4217; null: each price stays in its own. */
  readonly currency: string | null
  /** A year, `0.03` for three percent. */
  readonly priceRise: string
}

export async function settings(ctx: Ctx): Promise<BudgetSettings> {
  const found = await ctx.db.maybe(sql<BudgetSettings>`
    select currency, trim_scale(price_rise)::text as "priceRise" from budget_settings
    where tenant_id = ${ctx.tenantId}`)
  return found ?? { currency: null, priceRise: '0' }
}

export async function saveSettings(ctx: Ctx, { currency, priceRise }: BudgetSettings): Promise<void> {
  await ctx.db.run(sql`
    insert into budget_settings (tenant_id, currency, price_rise) values (${ctx.tenantId}, ${currency}, ${priceRise})
    on conflict (tenant_id) do update set currency = excluded.currency, price_rise = excluded.price_rise`)
}

export interface DeviceTypePrice extends ReplacementPrice {
  readonly deviceType: string
}

export function prices(ctx: Ctx): Promise<DeviceTypePrice[]> {
  return ctx.db.all(sql<DeviceTypePrice>`
    select device_type as "deviceType", price::text, currency, life_months as "lifeMonths"
    from replacement_prices where tenant_id = ${ctx.tenantId} order by device_type`)
}

export async function savePrice(
  ctx: Ctx,
  { deviceType, price, currency, lifeMonths }: DeviceTypePrice,
): Promise<void> {
  await ctx.db.run(sql`
    insert into replacement_prices (tenant_id, device_type, price, currency, life_months)
    values (${ctx.tenantId}, ${deviceType}, ${price}, ${currency}, ${lifeMonths})
    on conflict (tenant_id, device_type) do update
      set price = excluded.price, currency = excluded.currency, life_months = excluded.life_months`)
}

export interface Rate {
  readonly currency: string
  readonly day: string
  readonly rate: string
}

export async function saveRate(ctx: Ctx, { currency, day, rate }: Rate): Promise<void> {
  await ctx.db.run(sql`
    insert into exchange_rates (tenant_id, currency, day, rate)
    values (${ctx.tenantId}, ${currency}, ${day}::date, ${rate})
    on conflict (tenant_id, currency, day) do update set rate = excluded.rate`)
}

/** Of each currency the latest until the day. */
export function rates(ctx: Ctx, day: string): Promise<Rate[]> {
  return ctx.db.all(sql<Rate>`
    select distinct on (currency) currency, day, trim_scale(rate)::text as rate from exchange_rates
    where tenant_id = ${ctx.tenantId} and day <= ${day}::date order by currency, day desc`)
}

export async function termsOn(ctx: Ctx, snapshotDay: string): Promise<ForecastTerms> {
  const { currency, priceRise } = await settings(ctx)
  return {
    snapshotDay,
    currency,
    priceRise,
    rates: new Map((await rates(ctx, snapshotDay)).map((it) => [it.currency, it.rate])),
    prices: new Map((await prices(ctx)).map((it) => [it.deviceType, it])),
    deferMonths: 0,
  }
}

export interface ReplaceableAsset extends Replaceable {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly department: string | null
  readonly placeId: string | null
  readonly ip: string
  /** Null: nobody looked for vulnerabilities. */
  readonly risk: number | null
}

/** Devices and what is recorded of them; not those that are archived or gone for good. */
export function replaceableAssets(
  ctx: Ctx,
  assetIds: readonly string[] | undefined,
): AsyncIterable<readonly ReplaceableAsset[]> {
  return readByCursor(
    ctx.db,
    sql<ReplaceableAsset>`
    select a.id, a.name, a.asset_type as type, coalesce(a.device_type, 'unknown') as "deviceType", r.department,
      r.place_id as "placeId", a.ip_address as ip, k.score as risk, r.purchased_on as "purchasedOn",
      to_char(a.first_seen, 'YYYY-MM-DD') as "firstSeen", r.warranty_ends as "warrantyEnds",
      r.hardware_eol as "hardwareEol", r.lease_ends as "leaseEnds", r.replace_on as planned, r.price::text,
      r.currency
    from assets a left join asset_records r on r.tenant_id = ${ctx.tenantId} and r.asset_id = a.id
    left join asset_risks k on k.tenant_id = ${ctx.tenantId} and k.asset_id = a.id
    where a.tenant_id = ${ctx.tenantId} and ${reported(assetIds)}
      and a.asset_type in ('device', 'hypervisor', 'ot_device')
      and r.state is distinct from 'retired' and r.state is distinct from 'lost'
    order by a.id`,
  )
}
