import type { Schema, TypeOf } from '#platform/graphql/schema.ts'
import {
  budgetTerms,
  setBudgetSettings,
  setExchangeRate,
  setReplacementPrice,
  type BudgetTerms,
  type DeviceTypePrice,
  type Rate,
} from '../budget/budget.ts'

/** What budget forecasts are made with; amounts, rates and months are text as people write them. */
export function addBudget(schema: Schema): void {
  const terms = termsType(schema)
  schema.queryField('budgetTerms', (t) =>
    t.field({
      type: terms,
      description: 'Prices and rates of budget forecasts.',
      resolve: (_, __, ctx) => budgetTerms(ctx),
    }),
  )
  schema.mutationFields((t) => ({
    setBudgetSettings: t.field({
      type: terms,
      args: {
        currency: t.arg.string({
          required: true,
          description: 'ISO 4217; empty: each price stays in its own.',
        }),
        priceRise: t.arg.string({ required: true, description: 'A year: 0.03 is three percent.' }),
      },
      resolve: async (_, settings, ctx) => {
        await setBudgetSettings(ctx, settings)
        return budgetTerms(ctx)
      },
    }),
    setReplacementPrice: t.field({
      type: terms,
      description: 'What replacing a device of the type costs, and how long one lasts; absent: not known.',
      args: {
        deviceType: t.arg.string({ required: true }),
        price: t.arg.string(),
        currency: t.arg.string(),
        lifeMonths: t.arg.string(),
      },
      resolve: async (_, { deviceType, price, currency, lifeMonths }, ctx) => {
        const [amount, of, months] = [price, currency, lifeMonths].map((it) => it || undefined)
        await setReplacementPrice(ctx, { deviceType, price: amount, currency: of, lifeMonths: months })
        return budgetTerms(ctx)
      },
    }),
  }))
  addRate(schema, terms)
}

function addRate(schema: Schema, terms: TypeOf<BudgetTerms>): void {
  schema.mutationFields((t) => ({
    setExchangeRate: t.field({
      type: terms,
      description: 'What one unit of the currency is worth in the currency of forecasts, from the day on.',
      args: {
        currency: t.arg.string({ required: true }),
        rate: t.arg.string({ required: true }),
        day: t.arg.string({ description: 'YYYY-MM-DD; today unless given.' }),
      },
      resolve: async (_, { day, ...rate }, ctx) => {
        await setExchangeRate(ctx, { ...rate, ...(day && { day }) })
        return budgetTerms(ctx)
      },
    }),
  }))
}

function termsType(schema: Schema) {
  const price = schema.objectRef<DeviceTypePrice>('ReplacementPrice').implement({
    fields: (t) => ({
      deviceType: t.exposeString('deviceType'),
      price: t.exposeString('price', { nullable: true }),
      currency: t.exposeString('currency', { nullable: true }),
      lifeMonths: t.exposeInt('lifeMonths', { nullable: true }),
    }),
  })
  const rate = schema.objectRef<Rate>('ExchangeRate').implement({
    fields: (t) => ({
      currency: t.exposeString('currency'),
      day: t.exposeString('day', { description: 'From which on, YYYY-MM-DD.' }),
      rate: t.exposeString('rate'),
    }),
  })
  return schema.objectRef<BudgetTerms>('BudgetTerms').implement({
    fields: (t) => ({
      currency: t.exposeString('currency', { nullable: true }),
      priceRise: t.exposeString('priceRise'),
      prices: t.field({ type: [price], resolve: ({ prices }) => [...prices] }),
      rates: t.field({ type: [rate], resolve: ({ rates }) => [...rates] }),
    }),
  })
}
