import type { Command, CommandInput } from '#platform/cli/command.ts'
import { setBudgetSettings, setExchangeRate, setReplacementPrice } from './budget/budget.ts'

/** What budget forecasts are made with. */
export const budgetCommands: readonly Command[] = [
  {
    path: 'budget settings',
    tenant: true,
    options: {
      currency: {
        value: 'CODE',
        help: 'currency of forecasts, such as EUR; empty: each price stays in its own',
      },
      'price-rise': { value: 'RATE', help: 'how much prices rise in a year, such as 0.03' },
    },
    help: 'shows or sets the currency and the rise of prices of budget forecasts',
    async run(ctx, { options }) {
      const currency = textOf(options, 'currency')
      const priceRise = textOf(options, 'price-rise')
      const set = await setBudgetSettings(ctx, {
        ...(currency !== undefined && { currency }),
        ...(priceRise !== undefined && { priceRise }),
      })
      return {
        json: { currency: set.currency, price_rise: set.priceRise },
        text: `currency: ${set.currency ?? 'each its own'}, price rise a year: ${set.priceRise}`,
      }
    },
  },
  {
    path: 'budget price',
    args: ['device-type'],
    tenant: true,
    options: {
      price: { value: 'AMOUNT', help: 'of one, such as 1299.00' },
      currency: { value: 'CODE', help: 'of the price, such as EUR' },
      'life-months': { value: 'N', help: 'how long one lasts' },
    },
    help: 'what replacing a device of the type costs, where its record has no price',
    async run(ctx, { args, options }) {
      const set = await setReplacementPrice(ctx, {
        deviceType: args['device-type'] ?? '',
        price: textOf(options, 'price'),
        currency: textOf(options, 'currency'),
        lifeMonths: textOf(options, 'life-months'),
      })
      const { deviceType, price, currency, lifeMonths } = set
      return {
        json: { device_type: deviceType, price, currency, life_months: lifeMonths },
        text: `${deviceType}: ${price ?? 'no price'} ${currency ?? ''}, ${lifeMonths ?? 'unknown'} months`,
      }
    },
  },
  {
    path: 'budget rate',
    args: ['currency', 'rate'],
    tenant: true,
    options: { day: { value: 'DAY', help: 'from which on, such as 2026-11-22; today unless given' } },
    help: 'what one unit of a currency is worth in the currency of forecasts',
    async run(ctx, { args, options }) {
      const day = textOf(options, 'day')
      const { currency = '', rate = '' } = args
      const set = await setExchangeRate(ctx, { currency, rate, ...(day !== undefined && { day }) })
      return { json: set, text: `${set.currency}: ${set.rate} from ${set.day} on` }
    },
  },
]

function textOf(options: CommandInput['options'], name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
