import type { Ctx } from '#platform/context.ts'
import { replaceableAssets, termsOn } from '../budget/budget-store.ts'
import { decimal, plus, textOf, type Decimal } from '../budget/decimal.ts'
import { replacementOf } from '../budget/replacement.ts'

export interface CostOfAsset {
  readonly id: string
  readonly amount: string | null
  readonly currency: string | null
  /** Why there is no amount. */
  readonly note: string | null
}

/** What is spent on the chosen assets until the day; sums are exact, each of one currency. */
export interface ReplacementCosts {
  readonly byAsset: readonly CostOfAsset[]
  readonly sums: readonly { readonly currency: string; readonly before: string; readonly after: string }[]
  /** Without a price or a rate: in no sum. */
  readonly withoutAmount: number
}

/** Before: what is due anyway until the day. After: all of them, on the day, at its prices. */
export async function replacementCosts(
  ctx: Ctx,
  assetIds: readonly string[] | undefined,
  by: string,
): Promise<ReplacementCosts> {
  const terms = await termsOn(ctx, ctx.now().toISOString().slice(0, 10))
  const byAsset: CostOfAsset[] = []
  const sums = new Map<string, { before: Decimal; after: Decimal }>()
  const add = (when: 'before' | 'after', amount: string, currency: string): void => {
    const sum = sums.get(currency) ?? { before: decimal('0.00'), after: decimal('0.00') }
    sums.set(currency, { ...sum, [when]: plus(sum[when], decimal(amount)) })
  }
  for await (const batch of replaceableAssets(ctx, assetIds))
    for (const asset of batch) {
      const then = replacementOf({ ...asset, ...ONLY_PLANNED, planned: by }, terms)
      const { dueAmount: amount = null, dueCurrency: currency = null, note = null } = then ?? {}
      byAsset.push({ id: asset.id, amount, currency, note })
      if (amount !== null && currency !== null) add('after', amount, currency)
      const anyway = replacementOf(asset, terms)
      if (anyway && anyway.dueOn <= by && anyway.dueAmount !== null && anyway.dueCurrency !== null)
        add('before', anyway.dueAmount, anyway.dueCurrency)
    }
  return {
    byAsset,
    sums: [...sums.keys()].sort().map((currency) => {
      const { before, after } = sums.get(currency) ?? { before: decimal('0.00'), after: decimal('0.00') }
      return { currency, before: textOf(before), after: textOf(after) }
    }),
    withoutAmount: byAsset.filter(({ amount }) => amount === null).length,
  }
}

/** Nothing but the plan says when. */
const ONLY_PLANNED = {
  purchasedOn: null,
  firstSeen: null,
  warrantyEnds: null,
  hardwareEol: null,
  leaseEnds: null,
} as const
