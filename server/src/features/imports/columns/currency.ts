import { invalid } from '#platform/errors.ts'

/** What prices without a currency are in, in capitals. Refuses what is no code of ISO 4217. */
export function checkedCurrency(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^[a-z]{3}$/i.test(text)) throw invalid('currency', 'is not a currency code of ISO 4217, such as EUR')
  return text.toUpperCase()
}
