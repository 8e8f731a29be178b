import { Link } from '@tanstack/react-router'
import type { CheckRow } from '#api/generated/compliance-lists.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { count } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Badge } from '#ui/badge.tsx'
import { Time } from '#ui/time.tsx'
import { severityTones } from '../severity-tones.ts'
import { StatusBadge } from '../status-badge.tsx'

export const SeverityBadge = ({ severity }: Pick<CheckRow, 'severity'>) => (
  <Badge tone={severityTones[severity]}>{sentenceCase(severity)}</Badge>
)

/** Nothing is known of a check that was never judged: not even that nothing fails. */
const counted = (n: number, { judgedAt }: CheckRow) =>
  judgedAt === null ? <span className="quiet">–</span> : count(n)

export const checkColumns: readonly ListColumn<CheckRow>[] = [
  {
    key: 'name',
    title: 'What should hold',
    width: 22,
    fillsWidth: true,
    cell: ({ id, title }) => (
      <Link to="/compliance/checks/$checkId" params={{ checkId: id }} title={title}>
        {title}
      </Link>
    ),
    sort: 'title',
  },
  {
    key: 'status',
    title: 'Status',
    width: 7,
    cell: ({ status }) => <StatusBadge status={status} />,
    sort: 'status',
  },
  {
    key: 'severity',
    title: 'Severity',
    width: 6,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    sort: 'severity',
    isGreatestFirst: true,
  },
  {
    key: 'failed',
    title: 'Not met by',
    width: 6,
    cell: (row) => counted(row.failed, row),
    sort: 'failed',
    isGreatestFirst: true,
  },
  {
    key: 'inScope',
    title: 'In scope',
    width: 5.5,
    cell: (row) => counted(row.inScope, row),
    sort: 'in_scope',
    isGreatestFirst: true,
  },
  {
    key: 'unknown',
    title: 'Unknown',
    width: 5.5,
    cell: (row) => counted(row.unknown, row),
    sort: 'unknown',
    isGreatestFirst: true,
  },
  {
    key: 'excepted',
    title: 'Excepted',
    width: 5.5,
    cell: (row) => counted(row.excepted, row),
    sort: 'excepted',
    isGreatestFirst: true,
    isExtra: true,
  },
  {
    key: 'ok',
    title: 'In order',
    width: 5.5,
    cell: (row) => counted(row.ok, row),
    sort: 'ok',
    isGreatestFirst: true,
    isExtra: true,
  },
  {
    key: 'frameworks',
    title: 'Frameworks',
    width: 7,
    cell: ({ frameworks }) => <span title={frameworks.join(', ')}>{frameworks.join(', ')}</span>,
  },
  { key: 'controls', title: 'Controls', width: 5, cell: ({ controls }) => count(controls), isExtra: true },
  {
    key: 'judged',
    title: 'Judged',
    width: 6.5,
    cell: ({ judgedAt }) =>
      judgedAt === null ? <span className="quiet">never</span> : <Time at={judgedAt} />,
    sort: 'judged_at',
    isGreatestFirst: true,
  },
]
