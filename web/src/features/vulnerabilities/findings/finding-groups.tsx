import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { FindingGroupsDocument, type FindingGroupsData } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { compareTerm, withTerm } from '#features/conditions/condition-terms.ts'
import { conditionOf } from '#features/conditions/meant-by.ts'
import { count, decimal, percent } from '#lib/numbers.ts'
import { inSentence, sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import styles from './finding-groups.module.css'
import { ARROW, fixTitle } from './fix-title.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import { BY_FIX, type FindingSearch } from './finding-search-params.ts'

const LABEL = 'Groups of findings'
const SIZE = 50

type Group = FindingGroupsData['findingGroups']['items'][number]

interface FindingGroupsProps {
  readonly search: FindingSearch
  readonly group: FacetField
}

/** The findings by what they have in common, those with the most risk first. */
export function FindingGroups({ search, group }: FindingGroupsProps) {
  const [offset, setOffset] = useOffset('Groups of findings')
  const { field: by, label } = group
  const where = conditionOf({ where: search.where ?? '', text: search.search ?? '' })
  const { data, error, refetch } = useQuery(q(FindingGroupsDocument, { by, where, first: SIZE, offset }))
  const groups = data?.findingGroups
  return (
    <Panel
      isFlush
      title={by === BY_FIX ? 'What closes the most risk' : `By ${inSentence(label)}`}
      aside={by === BY_FIX ? 'Each line is one update, and its share of the risk listed here' : undefined}
    >
      <DataTable
        label={LABEL}
        name="groups-of-findings"
        columns={columnsFor(search, group)}
        rows={groups?.items}
        keyOf={({ value }) => value ?? ''}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={SearchX} title="Nothing to group">
            No finding fits the condition.
          </EmptyState>
        }
      />
      {groups && <Pagination total={groups.total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

const columnsFor = (search: FindingSearch, group: FacetField): readonly Column<Group>[] => [
  {
    title: group.label,
    cell: ({ value }) => (
      <Link
        to="/vulnerabilities"
        search={{ ...search, group: undefined, where: withTerm(search.where ?? '', termOf(group, value)) }}
        className={styles['value']}
      >
        {titleOf(group, value)}
      </Link>
    ),
  },
  { title: 'Assets', align: 'right', cell: ({ assets }) => count(assets) },
  { title: 'Findings', align: 'right', isMinor: true, cell: ({ findings }) => count(findings) },
  {
    title: group.field === BY_FIX ? 'Risk' : 'Share of risk',
    cell: ({ riskShare, value }) => (
      <span
        className={styles['share']}
        title="Of the risk of all that is listed: weights of findings times factors of their assets"
      >
        <span className={styles['track']} aria-hidden>
          <span className={styles['bar']} style={{ width: `${100 * riskShare}%` }} />
        </span>
        {/* an update takes it away */}
        {group.field === BY_FIX && value !== null ? `−${percent(riskShare)}` : percent(riskShare)}
      </span>
    ),
  },
  {
    title: 'Worst',
    align: 'right',
    cell: ({ maxCvss, isExploited }) => (
      <span className={styles['worst']}>
        {isExploited && (
          <Badge tone="bad" sign="!">
            Exploited
          </Badge>
        )}
        {decimal(maxCvss, 1)}
      </span>
    ),
  },
]

function titleOf({ field, isWord = false }: FacetField, value: string | null): string {
  if (field === BY_FIX) return value === null ? 'No fix is known' : fixTitle(value)
  if (value === null) return 'Not known'
  return isWord ? sentenceCase(value) : value
}

/** The condition for the findings of one group. */
function termOf({ field }: FacetField, value: string | null): string {
  if (field !== BY_FIX) return compareTerm(field, value === null ? [] : [value])
  if (value === null) return 'fixable = no'
  const software = value.slice(0, value.lastIndexOf(ARROW))
  return `${compareTerm('product', [software])} and fixable = yes`
}
