import { DUPLICATES_MAX } from '../inventory-summary-store.ts'
import type { Collecting } from '../kind.ts'
import { atMost, Tally, type KeyFigures } from './key-figures.ts'

const figured = {
  count: 'Assets',
  seen_7d: 'Seen, 7 days',
  seen_30d: 'Seen, 30 days',
  stale: 'Stale',
  new: 'New',
  gone: 'Gone',
}

export function inventoryFigures({ assetIds }: Pick<Collecting, 'assetIds'>): KeyFigures {
  const tally = new Tally<string>()
  return {
    see: {
      summary: (row) => Object.keys(figured).forEach((name) => tally.add(name, row[name])),
      duplicates: () => tally.add('duplicates', 1),
      end_of_life: (row) => tally.add('ended', row['is_ended']),
    },
    figures: () =>
      tally.of('count') === 0
        ? []
        : [
            ...Object.entries(figured).map(([name, figure]) => ({ figure, value: tally.of(name) })),
            { figure: 'Possible duplicates', ...atMost(tally.of('duplicates'), DUPLICATES_MAX) },
            // these are counted over the whole organisation
            ...(assetIds === undefined
              ? [{ figure: 'Products past their end', value: tally.of('ended') }]
              : []),
          ],
  }
}
