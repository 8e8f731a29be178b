import {
  budgetTerms,
  setBudgetSettings,
  setExchangeRate,
  setReplacementPrice,
} from '#features/reports/reports.ts'
import type { Ctx } from '#platform/context.ts'

/** Price of one in a currency, and how many months one lasts. */
const PRICES: Readonly<Record<string, readonly [price: string, currency: string, lifeMonths: string]>> = {
  workstation: ['1190.00', 'EUR', '48'],
  server: ['6900.00', 'EUR', '60'],
  switch: ['2400.00', 'USD', '84'],
  printer: ['780.00', 'EUR', '60'],
  storage: ['18900.00', 'USD', '72'],
  firewall: ['3900.00', 'EUR', '60'],
}

const RATES = [
  ['USD', '0.9154'],
  ['CHF', '1.0621'],
  ['GBP', '1.1873'],
] as const

/** What the company plans budgets with, unless somebody has set a currency. */
export async function createBudget(ctx: Ctx): Promise<void> {
  const { currency, prices } = await budgetTerms(ctx)
  if (currency !== null) return
  await setBudgetSettings(ctx, { currency: 'EUR', priceRise: '0.03' })
  for (const { deviceType } of prices) {
    const [price, of, lifeMonths] = PRICES[deviceType] ?? []
    if (price !== undefined) await setReplacementPrice(ctx, { deviceType, price, currency: of, lifeMonths })
  }
  const day = `${ctx.now().getUTCFullYear()}-01-01`
  for (const [code, rate] of RATES) await setExchangeRate(ctx, { currency: code, rate, day })
}
