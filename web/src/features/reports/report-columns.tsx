import { Link } from '@tanstack/react-router'
import type { ReportRow } from '#api/generated/reports.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { count } from '#lib/numbers.ts'
import { Time } from '#ui/time.tsx'
import { bytesText, fileUrl, formatTitles, typeTitles } from './report.ts'
import { ReportStatusBadge } from './report-status.tsx'

export const reportColumns: readonly ListColumn<ReportRow>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 14,
    grow: 1.4,
    cell: ({ id, name }) => (
      <Link to="/reports/$reportId" params={{ reportId: id }}>
        {name}
      </Link>
    ),
    sort: 'name',
  },
  { key: 'type', title: 'About', width: 10, grow: 0.5, cell: ({ type }) => typeTitles[type], sort: 'type' },
  {
    key: 'state',
    title: 'Status',
    width: 9,
    cell: ({ status, latest }) => (
      <span title={status === 'available' ? undefined : latest?.message}>
        <ReportStatusBadge status={status} />
      </span>
    ),
    sort: 'status',
  },
  {
    key: 'rows',
    title: 'Rows',
    width: 6,
    cell: ({ good }) => (good?.rowCount == null ? '' : count(good.rowCount)),
    sort: 'rows',
    isGreatestFirst: true,
  },
  {
    key: 'file',
    title: 'File',
    width: 9,
    cell: (report) => <File report={report} />,
    sort: 'size',
    isGreatestFirst: true,
  },
  { key: 'by', title: 'By', width: 10, grow: 0.6, cell: ({ createdBy }) => createdBy, sort: 'made_by' },
  {
    key: 'generated',
    title: 'Generated',
    width: 9,
    cell: ({ good }) => <Time at={good?.generatedAt ?? null} />,
    sort: 'generated_at',
    isGreatestFirst: true,
  },
  {
    key: 'next',
    title: 'Next',
    width: 8,
    cell: ({ schedule, nextRunAt, pausedBecause }) =>
      schedule !== null && (pausedBecause === null ? <Time at={nextRunAt} /> : 'Paused'),
    sort: 'next_at',
  },
  {
    key: 'created',
    title: 'Made',
    width: 8,
    fillsWidth: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: 'created_at',
    isGreatestFirst: true,
  },
]

export function File({ report: { id, name, format, status, good } }: { readonly report: ReportRow }) {
  if (good?.fileBytes == null) return formatTitles[format]
  return (
    <a href={fileUrl(id)} aria-label={`Download ${name} as ${formatTitles[format]}`}>
      {formatTitles[format]}, {bytesText(good.fileBytes)}
      {status !== 'available' && <span className="quiet"> of before</span>}
    </a>
  )
}
