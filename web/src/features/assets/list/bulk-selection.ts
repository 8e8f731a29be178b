import { joinTerms } from '#features/conditions/condition-terms.ts'
import { conditionOf } from '#features/conditions/meant-by.ts'
import type { BulkSelection } from '#features/bulk-changes/use-bulk-change.ts'
import type { Selection } from '#ui/table/selection.ts'
import type { AssetSearch } from './asset-search-params.ts'

/** A list of values in a condition has at most so many. */
const VALUES_MAX = 500
/** All that the list has without a condition. */
const LIVING = 'archived = no'

/** The selected assets, as bulk changes take them. */
export function bulkSelectionOf(
  selection: Selection,
  { where = '', search = '' }: AssetSearch,
): BulkSelection {
  if (selection.kind === 'some') return { assetIds: [...selection.ids] }
  const ids = [...selection.except]
  const lists = Array.from({ length: Math.ceil(ids.length / VALUES_MAX) }, (_, at) =>
    ids.slice(at * VALUES_MAX, (at + 1) * VALUES_MAX),
  )
  const meant = conditionOf({ where, text: search }) || LIVING
  return { where: joinTerms([meant, ...lists.map((list) => `not id in (${list.join(', ')})`)]) }
}
