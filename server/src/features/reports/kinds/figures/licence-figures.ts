import { CurrencySums } from '../../budget/currency-sums.ts'
import type { Collecting } from '../kind.ts'
import { amountFigures, Tally, type KeyFigures } from './key-figures.ts'

type Counted =
  | 'positions'
  | 'balanced'
  | 'short'
  | 'missing'
  | 'unpriced'
  | 'unlicensed'
  | 'reclaimable'
  | 'tellReclaimable'
  | 'forbidden'
  | 'ended'

export function licenceFigures({ assetIds }: Pick<Collecting, 'assetIds'>): KeyFigures {
  const isWhole = assetIds === undefined
  const tally = new Tally<Counted>()
  const costs = new CurrencySums()
  return {
    see: {
      products({ metric, balance, reclaimable, cost_of_gap: cost, currency }) {
        tally.add(metric == null ? 'unlicensed' : 'positions', 1)
        tally.add('balanced', balance != null)
        const isShort = typeof balance === 'number' && balance < 0
        tally.add('short', isShort)
        tally.add('missing', isShort ? -balance : null)
        tally.add('unpriced', isShort && (cost == null || currency == null))
        tally.add('reclaimable', reclaimable)
        tally.add('tellReclaimable', reclaimable != null)
        costs.add(cost, currency)
      },
      forbidden: () => tally.add('forbidden', 1),
      end_of_life: ({ is_ended: isEnded }) => tally.add('ended', isEnded),
    },
    figures: () => [
      { figure: 'Products with entitlements', value: tally.of('positions') },
      tally.of('balanced') === 0 && tally.of('positions') > 0
        ? { figure: 'Products with too few', value: null }
        : {
            figure: 'Products with too few',
            value: tally.of('short'),
            unit: `${tally.of('missing')} missing`,
          },
      ...amountFigures('Cost of what is missing', costs),
      ...(tally.of('unpriced') === 0
        ? []
        : [{ figure: 'Missing without a price', value: tally.of('unpriced'), unit: 'in no sum' }]),
      ...(tally.of('tellReclaimable') === 0
        ? []
        : [{ figure: 'Reclaimable', value: tally.of('reclaimable') }]),
      { figure: 'Installed without entitlement', value: tally.of('unlicensed'), unit: 'products' },
      { figure: 'Forbidden and installed', value: tally.of('forbidden') },
      ...(isWhole ? [{ figure: 'Past their end', value: tally.of('ended') }] : []),
    ],
  }
}
