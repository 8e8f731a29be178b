import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { SearchX, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import {
  FindingsDocument,
  FindingsOverviewDocument,
  type FindingRow,
} from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { UnreadableCondition } from '#features/conditions/unreadable-condition.tsx'
import { faultOf } from '#features/conditions/use-condition-count.ts'
import { count } from '#lib/numbers.ts'
import type { ColumnSort } from '#ui/table/column-head.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset, usePreview } from '#ui/table/use-address-value.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { Time } from '#ui/time.tsx'
import { isAnythingAssessed } from '../assessment.ts'
import { FindingDecisions } from './finding-decisions.tsx'
import { FindingPreview } from './finding-preview.tsx'
import { variablesOf, type FindingOrder, type FindingSearch } from './finding-search-params.ts'
import { NoFindingsOfAsset } from './no-findings-of-asset.tsx'
import styles from './findings-page.module.css'
import { MatchMark, SeverityMark, StatusBadge, Threat } from '../finding-badges.tsx'

const LABEL = 'Findings'
/** Findings on one page. */
export const FINDINGS_SHOWN = 50

interface FindingsOwner {
  readonly id: string
  readonly isArchived: boolean
}

interface FindingListProps {
  readonly search: FindingSearch
  /** The findings of this one alone, also when it is archived. */
  readonly asset?: FindingsOwner | undefined
  /** The head of a column was clicked. */
  readonly onOrder: (order: FindingOrder) => void
}

/** One page of the list, and the finding that was opened in it. */
export function FindingList({ search, asset, onOrder }: FindingListProps) {
  const [offset, setOffset] = useOffset('Findings')
  const preview = usePreview()
  const may = usePermission()
  const { data, error, refetch } = useQuery({
    ...q(FindingsDocument, { ...variablesOf(search, asset?.id), first: FINDINGS_SHOWN, offset }),
    placeholderData: keepPreviousData,
  })
  const total = data?.findings.total
  const sortBy = (order: FindingOrder): ColumnSort => ({
    direction: order === (search.order ?? 'score') ? 'desc' : undefined,
    onSort: () => onOrder(order),
  })
  // words to search for are no condition
  const selection = useSelection({ key: search, total: total ?? 0, mayAll: search.text === undefined })
  const isDecided = may('overrides:write') && !asset?.isArchived
  if (faultOf(error)) return <UnreadableCondition error={error} />
  return (
    <>
      <Panel isFlush>
        <DataTable
          label={LABEL}
          name="findings"
          columns={columnsFor(preview.open, sortBy)}
          rows={data?.findings.items}
          total={total}
          keyOf={({ id }) => id}
          preview={preview}
          selecting={isDecided ? { selection, nameOf } : undefined}
          error={error}
          onRetry={() => void refetch()}
          empty={asset ? <NoFindingsOfAsset assetId={asset.id} /> : <NothingFound search={search} />}
        />
        {total !== undefined && (
          <Pagination total={total} offset={offset} size={FINDINGS_SHOWN} onOffset={setOffset} />
        )}
      </Panel>
      {isDecided && (
        <FindingDecisions
          selection={selection}
          where={asset ? compareTerm('asset.id', [asset.id]) : search.where}
        />
      )}
      <FindingPreview preview={preview} />
    </>
  )
}

const nameOf = ({ cveId, assetName }: FindingRow): string => `${cveId} on ${assetName}`

const affected: readonly Column<FindingRow>[] = [
  {
    title: 'Asset',
    cell: ({ assetId, assetName }) => (
      <Link to="/assets/$assetId" params={{ assetId }} className={styles['asset']}>
        {assetName}
      </Link>
    ),
  },
  {
    title: 'Software',
    cell: ({ software, fixedVersion }) => (
      <TwoLines below={fixedVersion === '' ? 'no fix is known' : `fixed in ${fixedVersion}`}>
        <span className={styles['software']}>{software}</span>
      </TwoLines>
    ),
  },
]

const columnsFor = (
  onOpen: (id: string) => void,
  sortBy: (order: FindingOrder) => ColumnSort,
): readonly Column<FindingRow>[] => [
  {
    title: 'Severity',
    sort: sortBy('score'),
    cell: ({ severity, cvssScore, isScored }) => (
      <SeverityMark severity={severity} score={cvssScore} isScored={isScored} />
    ),
  },
  {
    title: 'CVE',
    cell: ({ id, cveId, affectedAssets }) => (
      <TwoLines
        below={
          <Link to="/vulnerabilities/$cveId" params={{ cveId }} className={styles['all']}>
            {count(affectedAssets)} {affectedAssets === 1 ? 'asset' : 'assets'}
          </Link>
        }
      >
        <button type="button" className={styles['open']} onClick={() => onOpen(id)}>
          {cveId}
        </button>
      </TwoLines>
    ),
  },
  ...affected,
  {
    title: 'Threat',
    sort: sortBy('epss'),
    cell: ({ kevAddedOn, epss }) => <Threat kevAddedOn={kevAddedOn} epss={epss} />,
  },
  {
    title: 'Match',
    isMinor: true,
    cell: ({ matchType, confidence }) => <MatchMark matchType={matchType} confidence={confidence} />,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Found', sort: sortBy('foundAt'), isMinor: true, cell: ({ foundAt }) => <Time at={foundAt} /> },
]

function NothingFound({ search }: { readonly search: FindingSearch }) {
  const navigate = useNavigate()
  const { data: overview } = useQuery(q(FindingsOverviewDocument, {}))
  const isAssessed = overview && isAnythingAssessed(overview.assessment)
  const isFiltered = search.where !== undefined || search.text !== undefined
  if (!isFiltered)
    return (
      <EmptyState
        icon={isAssessed ? ShieldCheck : ShieldQuestionMark}
        title={isAssessed ? 'No open finding' : 'Not assessed yet'}
        action={
          <Button variant="default" onClick={() => void navigate({ to: '/feeds' })}>
            Look at the feeds
          </Button>
        }
      >
        Findings come from software that scans and imports bring, and from advisories that the feeds bring.
        Turn on the feeds of your systems first.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={SearchX}
      title="No finding fits"
      action={
        <Button variant="default" onClick={() => void navigate({ to: '/vulnerabilities', search: {} })}>
          Clear the filters
        </Button>
      }
    >
      Words are looked for in the CVE’s id, the software, and the asset’s name, address and serial. A
      condition leaves out what is not known; remove a term to see more.
    </EmptyState>
  )
}
