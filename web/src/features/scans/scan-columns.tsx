import { Link } from '@tanstack/react-router'
import type { ScanRow } from '#api/generated/scans.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { duration } from '#lib/dates.ts'
import { count } from '#lib/numbers.ts'
import { Time } from '#ui/time.tsx'
import { isInProgress, ScanStatusBadge } from './scan-status.tsx'

/** How long a scan took; nothing until it has ended. */
export function tookText({ startedAt, finishedAt }: Pick<ScanRow, 'startedAt' | 'finishedAt'>): string {
  if (startedAt === null || finishedAt === null) return ''
  return duration((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000)
}

export const scanColumns: readonly ListColumn<ScanRow>[] = [
  {
    key: 'name',
    title: 'Target',
    width: 13,
    grow: 1,
    cell: ({ id, targetAddress }) => (
      <Link to="/scans/$scanId" params={{ scanId: id }}>
        {targetAddress}
      </Link>
    ),
    sort: 'target',
  },
  { key: 'type', title: 'Type', width: 7, cell: ({ type }) => type, sort: 'type' },
  {
    key: 'state',
    title: 'Status',
    width: 9,
    cell: ({ status }) => <ScanStatusBadge status={status} />,
    sort: 'status',
  },
  {
    key: 'hosts',
    title: 'Assets',
    width: 6,
    cell: ({ assetCount }) => count(assetCount),
    sort: 'hosts',
    isGreatestFirst: true,
  },
  {
    key: 'result',
    title: 'Result',
    width: 14,
    grow: 1.6,
    cell: ({ status, message }) => !isInProgress(status) && <span title={message}>{message}</span>,
  },
  {
    key: 'took',
    title: 'Took',
    width: 6,
    cell: (scan) => tookText(scan),
    sort: 'duration',
    isGreatestFirst: true,
  },
  {
    key: 'started',
    title: 'Started',
    width: 9,
    cell: ({ startedAt }) => <Time at={startedAt} />,
    sort: 'started_at',
    isGreatestFirst: true,
    isExtra: true,
  },
  {
    key: 'created',
    title: 'Asked for',
    width: 9,
    fillsWidth: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: 'created_at',
    isGreatestFirst: true,
  },
]
