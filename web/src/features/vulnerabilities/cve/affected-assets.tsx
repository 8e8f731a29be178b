import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import { FindingsDocument, type FindingRow } from '#api/generated/vulnerabilities.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { useOffset, usePreview } from '#ui/table/use-address-value.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { UNGROUPED } from '../findings/finding-search-params.ts'
import { FindingPreview } from '../findings/finding-preview.tsx'
import styles from '../findings/findings-page.module.css'
import { MatchMark, StatusBadge } from '../finding-badges.tsx'

const SIZE = 25

/** All assets with a finding of the CVE, of any status. */
export function AffectedAssets({ cveId }: { readonly cveId: string }) {
  const [offset, setOffset] = useOffset('Assets with this CVE')
  const preview = usePreview()
  const { data, error, refetch } = useQuery({
    ...q(FindingsDocument, {
      filter: { cveId },
      sort: 'changedAt' as const,
      ascending: false,
      first: SIZE,
      offset,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel
      title="Where it was found"
      aside={data && data.findings.total > 0 && <InLists cveId={cveId} total={data.findings.total} />}
      isFlush
    >
      <DataTable
        label="Assets with this CVE"
        preview={preview}
        columns={columnsFor(preview.open)}
        rows={data?.findings.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={ShieldCheck} title="On no asset">
            No software of this inventory fits what the feeds say of it.
          </EmptyState>
        }
      />
      {data && <Pagination total={data.findings.total} offset={offset} size={SIZE} onOffset={setOffset} />}
      <FindingPreview preview={preview} />
    </Panel>
  )
}

/** The same in the lists, which group and export it. */
function InLists({ cveId, total }: { readonly cveId: string; readonly total: number }) {
  const where = compareTerm('cve', [cveId])
  return (
    <>
      <Badge>{count(total)}</Badge>{' '}
      <Link to="/assets" search={{ where: `any finding(${where})`, group: 'owner' }}>
        Assets by owner
      </Link>
      {' · '}
      <Link to="/vulnerabilities" search={{ where, group: UNGROUPED }}>
        Search and export
      </Link>
    </>
  )
}

const columnsFor = (onOpen: (id: string) => void): readonly Column<FindingRow>[] => [
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
        {software}
      </TwoLines>
    ),
  },
  {
    title: 'Match',
    isMinor: true,
    cell: ({ matchType, confidence }) => <MatchMark matchType={matchType} confidence={confidence} />,
  },
  {
    title: 'Status',
    isMinor: true,
    cell: ({ status, isUnconfirmed }) => <StatusBadge status={status} isUnconfirmed={isUnconfirmed} />,
  },
  {
    title: '',
    align: 'right',
    cell: ({ id, assetName }) => (
      <button
        type="button"
        className={styles['open']}
        aria-label={`Why ${assetName} is affected`}
        onClick={() => onOpen(id)}
      >
        Why?
      </button>
    ),
  },
]
