import { Link } from '@tanstack/react-router'
import type { ListedControlRow } from '#api/generated/compliance-lists.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { count } from '#lib/numbers.ts'
import { Time } from '#ui/time.tsx'
import { StatusBadge } from '../status-badge.tsx'

export const controlName = ({ controlId, title }: ListedControlRow): string => `${controlId} ${title}`

export const controlColumns: readonly ListColumn<ListedControlRow>[] = [
  {
    key: 'name',
    title: 'Control',
    width: 15,
    grow: 1.5,
    cell: (row) => (
      <Link
        to="/compliance/$framework/controls/$controlId"
        params={{ framework: row.framework, controlId: row.controlId }}
        title={controlName(row)}
      >
        {controlName(row)}
      </Link>
    ),
    sort: 'control',
  },
  {
    key: 'status',
    title: 'Status',
    width: 8.5,
    cell: ({ status }) => <StatusBadge status={status} />,
    sort: 'status',
  },
  {
    key: 'why',
    title: 'Why',
    width: 15,
    grow: 2,
    cell: ({ why }) => <span title={why.join(' ')}>{why.join(' ')}</span>,
  },
  {
    key: 'framework',
    title: 'Framework',
    width: 8,
    grow: 0.8,
    cell: ({ frameworkTitle }) => <span title={frameworkTitle}>{frameworkTitle}</span>,
    sort: 'framework',
  },
  {
    key: 'section',
    title: 'Section',
    width: 6,
    cell: ({ parentId }) => parentId,
    sort: 'section',
    isExtra: true,
  },
  { key: 'checks', title: 'Checks', width: 4.5, cell: ({ checks }) => count(checks) },
  {
    key: 'since',
    title: 'Since',
    width: 6.5,
    fillsWidth: true,
    cell: ({ since }) => (since === null ? '' : <Time at={since} />),
    sort: 'since',
    isGreatestFirst: true,
  },
]
