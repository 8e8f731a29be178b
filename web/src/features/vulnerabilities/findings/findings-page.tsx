import { keepPreviousData, usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { SearchX, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { useState } from 'react'
import {
  AssessmentDocument,
  FindingsDocument,
  FindingsOverviewDocument,
  type FindingRow,
} from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { useFacetsPanel } from '#features/conditions/facets-panel.tsx'
import { UnreadableCondition } from '#features/conditions/unreadable-condition.tsx'
import { faultOf } from '#features/conditions/use-condition-count.ts'
import { count } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { isAnythingAssessed } from '../assessment.ts'
import { AssessmentNotice } from '../assessment-notice.tsx'
import { ChangeMatching } from './change-matching.tsx'
import { FindingDrawer } from './finding-drawer.tsx'
import { FindingFacets } from './finding-facets.tsx'
import { FindingFilters } from './finding-filters.tsx'
import { FindingGroups } from './finding-groups.tsx'
import { variablesOf, type FindingSearch } from './finding-search-params.ts'
import styles from './findings-page.module.css'
import { SeverityCounts } from '../severity-counts.tsx'
import { MatchMark, SeverityMark, StatusBadge, Threat } from '../finding-badges.tsx'
import { PendingApprovals, usePendingApprovals } from '../overrides/pending-approvals.tsx'

const SIZE = 50

export function FindingsPage() {
  const search = useSearch({ from: '/app/vulnerabilities' })
  const facets = useFacetsPanel('finding')
  const { data } = useQuery({
    ...q(FindingsDocument, { ...variablesOf(search), first: SIZE, offset: 0 }),
    placeholderData: keepPreviousData,
  })
  const total = data?.findings.total
  return (
    <Page
      title="Vulnerabilities"
      aside={total !== undefined && <Badge>{count(total)}</Badge>}
      description="One finding for each CVE and asset. Each says which record made it, by which version rule, and why nothing speaks against it."
    >
      <Summary search={search} />
      <AfterLoading>
        <FindingFilters search={search} panel={facets} />
        <div className={styles['body']}>
          <FindingFacets search={search} panel={facets} />
          <div className={styles['list']}>
            {search.group && (
              <FindingGroups
                key={JSON.stringify(search)}
                search={search}
                group={search.group}
                total={total}
              />
            )}
            {!search.group && <Findings search={search} />}
          </div>
        </div>
      </AfterLoading>
    </Page>
  )
}

/** One page of the list, and the finding that was opened in it. */
function Findings({ search }: { readonly search: FindingSearch }) {
  const [page, setPage] = useState({ search, offset: 0 })
  const offset = page.search === search ? page.offset : 0
  const [openedId, setOpenedId] = useState<string>()
  const { data, error, refetch } = useQuery({
    ...q(FindingsDocument, { ...variablesOf(search), first: SIZE, offset }),
    placeholderData: keepPreviousData,
  })
  const { data: overview } = useQuery(q(FindingsOverviewDocument, {}))
  if (faultOf(error)) return <UnreadableCondition error={error} />
  return (
    <>
      <ChangeMatching search={search} total={data?.findings.total} />
      <Panel isFlush>
        <DataTable
          label="Findings"
          columns={columnsFor(setOpenedId)}
          rows={data?.findings.items}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <NothingFound search={search} isAssessed={overview && isAnythingAssessed(overview.assessment)} />
          }
        />
        {data && (
          <Pagination
            total={data.findings.total}
            offset={offset}
            size={SIZE}
            onOffset={(next) => setPage({ search, offset: next })}
          />
        )}
      </Panel>
      <FindingDrawer findingId={openedId} onClose={() => setOpenedId(undefined)} />
    </>
  )
}

function Summary({ search }: { readonly search: FindingSearch }) {
  usePrefetchQuery(q(AssessmentDocument, {}))
  usePendingApprovals()
  const { data } = useQuery(q(FindingsOverviewDocument, {}))
  // what is below would move when the counts come
  if (!data) return null
  return (
    <>
      <SeverityCounts
        counts={data.findingsOverview.counts}
        staleAssets={data.findingsOverview.staleAssets}
        search={search}
        isAssessed={isAnythingAssessed(data.assessment)}
      />
      <AssessmentNotice />
      <PendingApprovals />
    </>
  )
}

const columnsFor = (onOpen: (id: string) => void): readonly Column<FindingRow>[] => [
  {
    title: 'Severity',
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
  { title: 'Threat', cell: ({ kevAddedOn, epss }) => <Threat kevAddedOn={kevAddedOn} epss={epss} /> },
  {
    title: 'Match',
    isMinor: true,
    cell: ({ matchType, confidence }) => <MatchMark matchType={matchType} confidence={confidence} />,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Found', isMinor: true, cell: ({ foundAt }) => <Time at={foundAt} /> },
]

interface NothingFoundProps {
  readonly search: FindingSearch
  /** Undefined while loading. */
  readonly isAssessed: boolean | undefined
}

function NothingFound({ search, isAssessed }: NothingFoundProps) {
  const navigate = useNavigate()
  const isFiltered = Object.values(search).some((it) => it !== undefined)
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
