import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ComplianceExceptionsOfDocument, type ComplianceExceptionRow } from '#api/generated/operations.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'

const SHOWN = 50

/** Exceptions from some checks, those that have ended too. */
export function ExceptionsPanel({ checkIds }: { readonly checkIds: readonly string[] }) {
  const { data, error, refetch } = useQuery({
    ...q(ComplianceExceptionsOfDocument, { checkIds: [...checkIds], first: SHOWN }),
    enabled: checkIds.length > 0,
  })
  if (checkIds.length === 0) return null
  return (
    <Panel isFlush title="Exceptions" aside={data && count(data.complianceExceptions.total)}>
      <DataTable
        label="Exceptions"
        columns={columns}
        rows={data?.complianceExceptions.items}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className="quiet">No exception: every failure counts.</p>}
      />
    </Panel>
  )
}

const columns: readonly Column<ComplianceExceptionRow>[] = [
  {
    title: 'Reason',
    cell: ({ reason, createdBy }) => <TwoLines below={createdBy}>{reason}</TwoLines>,
  },
  {
    title: 'Of',
    cell: ({ assetId, tag }) =>
      assetId === null ? (
        (tag ?? 'all assets')
      ) : (
        <Link to="/assets/$assetId" params={{ assetId }}>
          one asset
        </Link>
      ),
  },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Ends', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
]
