import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Radar } from 'lucide-react'
import { DiscoveryRunsDocument, type DiscoveryRunRow } from '#api/generated/discoveries.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { isUnderWay } from './discovery-words.ts'
import { RunStatusBadge } from './run-status.tsx'

const SIZE = 25
const REFRESH_MS = 2_000

/** All runs, newest first. */
export function RunsPanel() {
  const [offset, setOffset] = useOffset('Runs')
  const { data, error, refetch } = useQuery({
    ...q(DiscoveryRunsDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.discoveryRuns.items.some(isUnderWay) ? REFRESH_MS : false),
  })
  const total = data?.discoveryRuns.total
  return (
    <Panel title="Runs" aside={<AllRuns total={total} />} isFlush>
      <DataTable
        label="Runs"
        columns={columns}
        rows={data?.discoveryRuns.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState icon={Radar} title="No run yet">
            Run a discovery, or scan assets at once from their page or list.
          </EmptyState>
        }
      />
      {total !== undefined && <Pagination total={total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

function AllRuns({ total }: { readonly total: number | undefined }) {
  return (
    <>
      {total !== undefined && <Badge>{count(total)}</Badge>}{' '}
      <Link to="/discoveries/runs">Search and sort all</Link>
    </>
  )
}

export const CAUSES = {
  manual: 'Started by a person',
  schedule: 'On schedule',
  scan_now: 'Scan now',
} as const

const columns: readonly Column<DiscoveryRunRow>[] = [
  {
    title: 'Run',
    cell: ({ id, name, cause }) => (
      <TwoLines below={CAUSES[cause]}>
        <Link to="/discoveries/$runId" params={{ runId: id }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  {
    title: 'Status',
    cell: (run) =>
      isUnderWay(run) ? (
        <ProgressBar label={`Progress of ${run.name}`} share={run.share} />
      ) : (
        <RunStatusBadge status={run.status} />
      ),
  },
  { title: 'Result', isMinor: true, cell: ({ message }) => <span className="quiet">{message}</span> },
  { title: 'Change', isMinor: true, cell: changeText },
  { title: 'Started', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** `3 new, 1 changed, 2 gone`; a dash where there is nothing to compare with. */
export function changeText({ newHosts, changedHosts, goneHosts }: DiscoveryRunRow): string {
  if (newHosts === null) return '–'
  return `${count(newHosts)} new, ${count(changedHosts ?? 0)} changed, ${count(goneHosts ?? 0)} gone`
}
