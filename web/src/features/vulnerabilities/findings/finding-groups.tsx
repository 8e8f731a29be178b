import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { FindingGroupsDocument, type FindingGroupsData } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { compareTerm, withTerm } from '#features/conditions/condition-terms.ts'
import { conditionOf } from '#features/conditions/meant-by.ts'
import { count, decimal, percent } from '#lib/numbers.ts'
import { inSentence } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import styles from './finding-groups.module.css'
import { ARROW, fixTitle } from './fix-title.ts'
import { GROUPINGS, type FindingGrouping, type FindingSearch } from './finding-search-params.ts'

const LABEL = 'Groups of findings'
const SIZE = 50

type Group = FindingGroupsData['findingGroups']['items'][number]

interface FindingGroupsProps {
  readonly search: FindingSearch
  readonly group: FindingGrouping
}

/** The findings by what they have in common, those with the most risk first. */
export function FindingGroups({ search, group }: FindingGroupsProps) {
  const [offset, setOffset] = useOffset('Groups of findings')
  const { by, label } = GROUPINGS.find(({ value }) => value === group) ?? GROUPINGS[0]
  const where = conditionOf({ where: search.where ?? '', text: search.text ?? '' })
  const { data, error, refetch } = useQuery(q(FindingGroupsDocument, { by, where, first: SIZE, offset }))
  const groups = data?.findingGroups
  return (
    <Panel
      isFlush
      title={group === 'fix' ? 'What closes the most risk' : `By ${inSentence(label)}`}
      aside={group === 'fix' ? 'Each line is one update, and its share of the risk listed here' : undefined}
    >
      <DataTable
        label={LABEL}
        name="groups-of-findings"
        columns={columnsFor({ search, group, label })}
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

interface Grouped {
  readonly search: FindingSearch
  readonly group: FindingGrouping
  readonly label: string
}

const columnsFor = ({ search, group, label }: Grouped): readonly Column<Group>[] => [
  {
    title: label,
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
  { title: 'Findings', align: 'right', cell: ({ findings }) => count(findings) },
  {
    title: group === 'fix' ? 'Risk' : 'Share of risk',
    cell: ({ riskShare, value }) => (
      <span
        className={styles['share']}
        title="Of the risk of all that is listed: weights of findings times factors of their assets"
      >
        <span className={styles['track']} aria-hidden>
          <span className={styles['bar']} style={{ width: `${100 * riskShare}%` }} />
        </span>
        {/* an update takes it away */}
        {group === 'fix' && value !== null ? `−${percent(riskShare)}` : percent(riskShare)}
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

function titleOf(group: FindingGrouping, value: string | null): string {
  if (group !== 'fix') return value ?? 'Not known'
  return value === null ? 'No fix is known' : fixTitle(value)
}

/** The condition for the findings of one group. */
function termOf(group: FindingGrouping, value: string | null): string {
  const field = GROUPINGS.find((it) => it.value === group)?.by ?? 'cve'
  if (group !== 'fix') return compareTerm(field, value === null ? [] : [value])
  if (value === null) return 'fixable = no'
  const arrow = value.lastIndexOf(ARROW)
  const [software, fixed] = [value.slice(0, arrow), value.slice(arrow + ARROW.length)]
  return `${compareTerm('product', [software])} and ${compareTerm('fixed_version', [fixed])}`
}
