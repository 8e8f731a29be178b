import type { ConditionSubject } from '#api/generated/enums-and-inputs.ts'
import { joinTerms, compareTerm } from '#features/conditions/condition-terms.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import { useFacets } from '#features/conditions/use-facets.ts'
import { withoutChoice } from '#features/conditions/facet-terms.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import styles from './group-list.module.css'
import { NothingFits } from './nothing-fits.tsx'
import type { ListSearch } from './list-search.ts'
import { useListSearch } from './use-list-search.ts'

interface GroupListProps {
  readonly subject: ConditionSubject
  readonly search: ListSearch
  readonly group: FacetField
}

interface Group {
  /** Null: what has no known value. */
  readonly value: string | null
  readonly count: number
}

const GROUPS = 500

/** What the list has, counted by the values of a field; each leads to its rows. */
export function GroupList({ subject, search, group }: GroupListProps) {
  const narrowing = { where: search.where ?? '', text: search.search ?? '' }
  const facet = useFacets(subject, narrowing, { fields: [group.field], first: GROUPS }).get(group.field)
  const rows = facet && [
    ...facet.values,
    ...(facet.without > 0 ? [{ value: null, count: facet.without }] : []),
  ]
  return (
    <div className={styles['groups']}>
      <DataTable
        label={group.label}
        columns={useColumns(narrowing.where, group)}
        rows={rows}
        keyOf={({ value }) => `${value === null ? '-' : '='}${value ?? ''}`}
        empty={<NothingFits />}
      />
      {facet && facet.values.length >= GROUPS && (
        <p className="quiet">The {count(GROUPS)} most frequent values are listed.</p>
      )}
    </div>
  )
}

function useColumns(where: string, { field, label, isWord = false }: FacetField): readonly Column<Group>[] {
  const change = useListSearch()
  const open = (value: string | null) =>
    change({
      group: undefined,
      where: joinTerms([withoutChoice(where, field), compareTerm(field, value === null ? [] : [value])]),
    })
  return [
    {
      title: label,
      sortBy: ({ value }) => value ?? '',
      cell: ({ value }) => (
        <button type="button" className={styles['open']} onClick={() => open(value)}>
          {value === null ? <span className="quiet">Not known</span> : isWord ? sentenceCase(value) : value}
        </button>
      ),
    },
    { title: 'Count', align: 'right', sortBy: (it) => it.count, cell: (it) => count(it.count) },
  ]
}
