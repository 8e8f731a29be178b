import { deviceTypes } from '#features/recognition/recognition.ts'
import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import * as store from './budget-store.ts'

export type { DeviceTypePrice, Rate } from './budget-store.ts'

const LIFE_MONTHS_MAX = 600

export interface BudgetTerms extends store.BudgetSettings {
  /** A row for each type of device, in their order. */
  readonly prices: readonly store.DeviceTypePrice[]
  /** Of each currency the one in force today. */
  readonly rates: readonly store.Rate[]
}

/** What budget forecasts are made with. */
export async function budgetTerms(ctx: Ctx): Promise<BudgetTerms> {
  permit(ctx, 'reports:read')
  const set = new Map((await store.prices(ctx)).map((it) => [it.deviceType, it]))
  const none = { price: null, currency: null, lifeMonths: null }
  return {
    ...(await store.settings(ctx)),
    prices: deviceTypes.map((deviceType) => set.get(deviceType) ?? { deviceType, ...none }),
    rates: await store.rates(ctx, ctx.now().toISOString().slice(0, 10)),
  }
}

/** Currency of reports and rise of prices; absent: as it is. An empty currency takes it away. */
export async function setBudgetSettings(
  ctx: Ctx,
  { currency, priceRise }: { readonly currency?: string; readonly priceRise?: string },
): Promise<store.BudgetSettings> {
  permit(ctx, 'reports:write')
  if (
    priceRise !== undefined &&
    !(/^-?\d(\.\d{1,4})?$/.test(priceRise) && Math.abs(Number(priceRise)) <= 0.5)
  )
    throw invalid('price-rise', 'must be from -0.5 to 0.5, such as 0.03 for three percent a year')
  return atomically(ctx, async (inner) => {
    const before = await store.settings(inner)
    const after = {
      currency: currency === undefined ? before.currency : currency === '' ? null : currencyOf(currency),
      priceRise: priceRise ?? before.priceRise,
    }
    await store.saveSettings(inner, after)
    await record(inner, 'budget.settings', { type: 'tenant', id: ctx.tenantId }, { before, after })
    return after
  })
}

export interface NewPrice {
  readonly deviceType: string
  readonly price?: string | undefined
  readonly currency?: string | undefined
  readonly lifeMonths?: string | undefined
}

/** What replacing a device of the type costs, and how long one lasts. */
export async function setReplacementPrice(ctx: Ctx, input: NewPrice): Promise<store.DeviceTypePrice> {
  permit(ctx, 'reports:write')
  const { deviceType, price, currency, lifeMonths } = input
  if (!deviceTypes.some((it) => it === deviceType))
    throw invalid('device-type', `is none of ${deviceTypes.join(', ')}`)
  if (price !== undefined && !/^\d{1,12}(\.\d{1,2})?$/.test(price))
    throw invalid('price', 'is not an amount; write it like 1299.00')
  if ((price === undefined) !== (currency === undefined))
    throw invalid(price === undefined ? 'price' : 'currency', 'price and currency go together')
  const months = lifeMonths === undefined ? null : Number(lifeMonths)
  if (months !== null && !(Number.isInteger(months) && months >= 1 && months <= LIFE_MONTHS_MAX))
    throw invalid('life-months', `must be a whole number from 1 to ${LIFE_MONTHS_MAX}`)
  const wanted = {
    deviceType,
    price: price ?? null,
    currency: currency === undefined ? null : currencyOf(currency),
    lifeMonths: months,
  }
  return atomically(ctx, async (inner) => {
    await store.savePrice(inner, wanted)
    await record(inner, 'budget.price', { type: 'tenant', id: ctx.tenantId }, wanted)
    return wanted
  })
}

/** What one unit of the currency is worth in the currency of reports, from the day on. */
export async function setExchangeRate(
  ctx: Ctx,
  { currency, rate, day }: { readonly currency: string; readonly rate: string; readonly day?: string },
): Promise<store.Rate> {
  permit(ctx, 'reports:write')
  if (!/^\d{1,10}(\.\d{1,8})?$/.test(rate) || Number(rate) === 0)
    throw invalid('rate', 'is not a rate; write it like 0.9154')
  const on = day ?? ctx.now().toISOString().slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(on) || Number.isNaN(Date.parse(on)))
    throw invalid('day', 'is not a day; write it like 2026-11-22')
  const wanted = { currency: currencyOf(currency), rate, day: on }
  return atomically(ctx, async (inner) => {
    await store.saveRate(inner, wanted)
    await record(inner, 'budget.rate', { type: 'tenant', id: ctx.tenantId }, wanted)
    return wanted
  })
}

function currencyOf(text: string): string {
  if (!/^[a-z]{3}$/i.test(text)) throw invalid('currency', 'is not a code of ISO 4217, such as EUR')
  return text.toUpperCase()
}
