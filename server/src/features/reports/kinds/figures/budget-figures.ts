import { CurrencySums } from '../../budget/currency-sums.ts'
import type { Collecting } from '../kind.ts'
import { amountFigures, Tally, type KeyFigures } from './key-figures.ts'

export function budgetFigures({ asOf, assetIds }: Pick<Collecting, 'asOf' | 'assetIds'>): KeyFigures {
  const day = asOf.toISOString().slice(0, 10)
  const tally = new Tally<'due' | 'now' | 'withoutAmount' | 'licences'>()
  const [amounts, clouds] = [new CurrencySums(), new CurrencySums()]
  return {
    see: {
      replacements({ due_on: dueOn }) {
        tally.add('due', 1)
        tally.add('now', dueOn === day)
      },
      quarters: ({ amount, currency }) => amounts.add(amount, currency),
      without_amount: ({ count }) => tally.add('withoutAmount', count),
      licences: () => tally.add('licences', 1),
      clouds: ({ a_year: amount, currency }) => clouds.add(amount, currency),
    },
    figures: () => [
      { figure: 'Due within three years', value: tally.of('due'), unit: 'assets' },
      ...amountFigures('Cost within three years', amounts),
      { figure: 'Due today or before', value: tally.of('now'), unit: 'assets' },
      { figure: 'Without an amount', value: tally.of('withoutAmount'), unit: 'assets, in no sum' },
      // these are told of the whole organisation alone
      ...(assetIds === undefined ? [{ figure: 'Licences that end', value: tally.of('licences') }] : []),
      ...amountFigures('Clouds, a year', clouds),
    ],
  }
}
