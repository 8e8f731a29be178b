import { compareTerm, withTerm } from '#features/conditions/condition-terms.ts'
import { readListSearch, textOf, withoutAbsent, type ListSearch } from '#features/lists/list-search.ts'

/** Parses URL search parameters; `origin` had one of its own before conditions. */
export function readSoftwareSearch(raw: Record<string, unknown>): ListSearch {
  const { where = '', ...search } = readListSearch(raw)
  const origin = textOf(raw['origin'])
  return withoutAbsent({
    ...search,
    where: textOf(origin === undefined ? where : withTerm(where, compareTerm('origin', [origin]))),
  })
}
