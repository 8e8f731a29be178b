import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { send } from '#api/client.ts'
import { DeleteReportDocument, type ReportRow } from '#api/generated/reports.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar, type RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import { count } from '#lib/numbers.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import { Time } from '#ui/time.tsx'
import { bytesText, fileUrl, formatTitles, typeTitles } from './report.ts'
import { ReportStatusBadge } from './report-status.tsx'

interface ReportTableProps {
  readonly rows: readonly ReportRow[] | undefined
  /** Of all pages. */
  readonly total?: number | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly empty: ReactNode
}

export function ReportTable(props: ReportTableProps) {
  const may = usePermission()
  const selection = useSelection({ key: props.rows?.map(({ id }) => id).join(), total: props.total ?? 0 })
  const rows = (props.rows ?? []).filter(({ id }) => selection.has(id))
  return (
    <>
      <DataTable
        label="Reports"
        columns={columns}
        keyOf={({ id }) => id}
        selecting={may('reports:write') ? { selection, nameOf: ({ name }) => name } : undefined}
        {...props}
      />
      <RowByRowBar noun="report" selection={selection} rows={rows} verbs={verbs} />
    </>
  )
}

const verbs: readonly RowVerb<ReportRow>[] = [
  {
    title: 'Delete',
    icon: Trash2,
    act: ({ id }) => send(DeleteReportDocument, { id }),
    warning: 'They are deleted with all their generations and files. This is final.',
  },
]

const columns: readonly Column<ReportRow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ id, name, type }) => (
      <TwoLines below={typeTitles[type]}>
        <Link to="/reports/$reportId" params={{ reportId: id }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  {
    title: 'State',
    cell: ({ status, latest }) => (
      <TwoLines below={status === 'available' ? undefined : latest?.message}>
        <ReportStatusBadge status={status} />
      </TwoLines>
    ),
  },
  {
    title: 'Rows',
    sortBy: ({ latest }) => latest?.rowCount,
    align: 'right',
    isMinor: true,
    cell: ({ latest }) => (latest?.rowCount == null ? '' : count(latest.rowCount)),
  },
  {
    title: 'File',
    cell: ({ id, name, format, status, good }) =>
      good?.fileBytes != null ? (
        <a href={fileUrl(id)} aria-label={`Download ${name} as ${formatTitles[format]}`}>
          {formatTitles[format]}, {bytesText(good.fileBytes)}
          {status !== 'available' && <span className="quiet"> of before</span>}
        </a>
      ) : (
        formatTitles[format]
      ),
  },
  {
    title: 'By',
    sortBy: ({ createdBy }) => createdBy,
    isMinor: true,
    cell: ({ createdBy }) => createdBy ?? '',
  },
  {
    title: 'Last',
    sortBy: ({ latest }) => latest?.requestedAt,
    isMinor: true,
    cell: ({ latest }) => <Time at={latest?.requestedAt ?? null} />,
  },
  {
    title: 'Next',
    isMinor: true,
    cell: ({ schedule, nextRunAt, pausedBecause }) =>
      schedule === null ? '' : pausedBecause === null ? <Time at={nextRunAt} /> : 'Paused',
  },
]
