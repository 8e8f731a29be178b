import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReportRow } from '#api/generated/operations.ts'
import { count } from '#lib/numbers.ts'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
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
  return <DataTable label="Reports" columns={columns} keyOf={({ id }) => id} {...props} />
}

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
