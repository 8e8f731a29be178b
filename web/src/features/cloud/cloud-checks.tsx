import { Badge } from '#ui/badge.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import type { CloudCheckRow } from '#api/generated/cloud.ts'

/** What came of a test, line by line. */
export function CloudChecks({ checks }: { readonly checks: readonly CloudCheckRow[] }) {
  if (checks.length === 0) return null
  return (
    <DataTable
      label="What the connection is allowed"
      columns={columns}
      rows={checks}
      keyOf={({ what, account }) => `${what} ${account}`}
      empty={null}
    />
  )
}

const columns: readonly Column<CloudCheckRow>[] = [
  { title: 'Asked for', cell: ({ what, account }) => <TwoLines below={account}>{what}</TwoLines> },
  {
    title: 'Answer',
    cell: ({ isAllowed, message }) => (
      <TwoLines below={message}>
        <Badge tone={isAllowed ? 'good' : 'bad'} sign={isAllowed ? '✓' : '!'}>
          {isAllowed ? 'Allowed' : 'Refused'}
        </Badge>
      </TwoLines>
    ),
  },
]
