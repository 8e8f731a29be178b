import { Link } from '@tanstack/react-router'
import type { ComplianceCheckChangeData } from '#api/generated/checks.ts'
import { count } from '#lib/numbers.ts'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { movesOf, verdictWords } from './check-change.ts'

type Change = ComplianceCheckChangeData['complianceCheckChange']

/** `3 pass → fail, 12 unknown`, and which assets. */
export function CheckChangePreview({ change: { moves, after, assets } }: { readonly change: Change }) {
  const changes = movesOf(moves)
  return (
    <div aria-live="polite">
      <p>
        <strong>{changes === '' ? 'No asset changes.' : `${changes}.`}</strong> Of {count(after.inScope)} in
        scope then {count(after.ok)} pass, {count(after.failed)} fail, {count(after.unknown)} unknown.
      </p>
      {assets.length > 0 && (
        <DataTable
          label="Assets that change"
          columns={columns}
          rows={assets}
          keyOf={({ assetId }) => assetId}
          empty={null}
        />
      )}
    </div>
  )
}

const columns: readonly Column<Change['assets'][number]>[] = [
  {
    title: 'Asset',
    cell: ({ assetId, name }) => (
      <Link to="/assets/$assetId" params={{ assetId }}>
        {name}
      </Link>
    ),
  },
  { title: 'Now', cell: ({ before }) => verdictWords[before] },
  { title: 'Then', cell: ({ after }) => verdictWords[after] },
]
