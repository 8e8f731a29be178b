import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ImportsDocument, type ImportRow } from '#api/generated/imports.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { Time } from '#ui/time.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { ImportStatusBadge, isInProgress } from './import-status.tsx'

const SIZE = 10
const REFRESH_MS = 2_000

/** Earlier imports with their results; renders nothing if there are none. */
export function ImportHistory() {
  const [offset, setOffset] = useOffset('Imports')
  const { data, error, refetch } = useQuery({
    ...q(ImportsDocument, { first: SIZE, offset }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.imports.items.some(({ status }) => isInProgress(status)) ? REFRESH_MS : false,
  })
  if (data?.imports.total === 0) return null
  return (
    <Panel title="Imports so far" isFlush>
      <DataTable
        label="Imports so far"
        columns={columns}
        rows={data?.imports.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={null}
      />
      {data && <Pagination total={data.imports.total} offset={offset} size={SIZE} onOffset={setOffset} />}
    </Panel>
  )
}

/** Before a file is imported nothing is known of it, which is not zero. */
const countOnceStarted = ({ status }: ImportRow, figure: number): string =>
  ['uploading', 'checking', 'ready', 'waiting'].includes(status) ? '' : count(figure)

const columns: readonly Column<ImportRow>[] = [
  {
    title: 'File',
    cell: ({ id, name }) => (
      <Link to="/imports/$importId" params={{ importId: id }}>
        {name}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <ImportStatusBadge status={status} /> },
  { title: 'Taken', align: 'right', isMinor: true, cell: (it) => countOnceStarted(it, it.observed) },
  { title: 'New', align: 'right', isMinor: true, cell: (it) => countOnceStarted(it, it.created) },
  { title: 'Changed', align: 'right', isMinor: true, cell: (it) => countOnceStarted(it, it.updated) },
  { title: 'Left out', align: 'right', isMinor: true, cell: (it) => countOnceStarted(it, it.rejectedTotal) },
  { title: 'By', isMinor: true, cell: ({ startedBy }) => startedBy },
  { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
