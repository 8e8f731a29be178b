import { CurrencySums } from '../../budget/currency-sums.ts'
import type { Collecting } from '../kind.ts'
import { amountFigures, Tally, type KeyFigures } from './key-figures.ts'

/** Of the rows of the audit, which a custom report has too. */
export function assetFigures({ asOf }: Pick<Collecting, 'asOf'>): KeyFigures {
  const day = asOf.toISOString().slice(0, 10)
  const tally = new Tally<'all' | 'differ' | 'owned' | 'located' | 'assessed' | 'findings' | 'expired'>()
  const prices = new CurrencySums()
  return {
    see: {
      assets(row) {
        tally.add('all', 1)
        tally.add('differ', row['discrepancies'] != null)
        tally.add('owned', row['owner'] != null)
        tally.add('located', row['site'] != null)
        tally.add('assessed', row['open_findings'] != null)
        tally.add('findings', row['open_findings'])
        tally.add('expired', typeof row['warranty_ends'] === 'string' && row['warranty_ends'] < day)
        prices.add(row['price'], row['currency'])
      },
    },
    figures() {
      if (tally.of('all') === 0) return []
      const assessed = tally.of('assessed')
      return [
        { figure: 'Assets', value: tally.of('all') },
        { figure: 'Differ from what is recorded', value: tally.of('differ') },
        { figure: 'With an owner', value: tally.of('owned') },
        { figure: 'With a site', value: tally.of('located') },
        { figure: 'Warranty has ended', value: tally.of('expired') },
        ...(assessed === 0
          ? []
          : [
              {
                figure: 'Open findings',
                value: tally.of('findings'),
                unit: `on ${assessed} assessed ${assessed === 1 ? 'asset' : 'assets'}`,
              },
            ]),
        ...amountFigures('Recorded prices', prices),
      ]
    },
  }
}
