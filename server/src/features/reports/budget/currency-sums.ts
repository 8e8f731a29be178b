import type { Cell } from '../dataset/dataset.ts'
import { decimal, plus, textOf, type Decimal } from './decimal.ts'

/** Exact sums of amounts, one for each currency. */
export class CurrencySums {
  readonly #sums = new Map<string, Decimal>()

  /** Adds nothing where the amount or its currency is not known. */
  add(amount: Cell | undefined, currency: Cell | undefined): void {
    if (typeof amount !== 'string' || typeof currency !== 'string') return
    this.#sums.set(currency, plus(this.#sums.get(currency) ?? decimal('0.00'), decimal(amount)))
  }

  /** In the order of currencies. */
  get all(): readonly { readonly currency: string; readonly amount: string }[] {
    return [...this.#sums]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => ({ currency, amount: textOf(sum) }))
  }
}
