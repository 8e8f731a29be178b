import { joinTerms } from '#features/conditions/condition-terms.ts'
import type { Selection } from '#ui/table/selection.ts'

/** A list of values in a condition has at most so many. */
const VALUES_MAX = 500

/** What is selected: the ids, or as a condition all that is meant but for some. */
export function selected(selection: Selection, meant: string): { ids: string[] } | { where: string } {
  if (selection.kind === 'some') return { ids: [...selection.ids] }
  const ids = [...selection.except]
  const lists = Array.from({ length: Math.ceil(ids.length / VALUES_MAX) }, (_, at) =>
    ids.slice(at * VALUES_MAX, (at + 1) * VALUES_MAX),
  )
  return { where: joinTerms([meant, ...lists.map((list) => `not id in (${list.join(', ')})`)]) }
}
