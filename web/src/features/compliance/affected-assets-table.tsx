import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { AffectedAssetRow } from '#api/generated/checks.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'

interface AffectedAssetsTableProps {
  readonly rows: readonly AffectedAssetRow[] | undefined
  readonly empty: string
  /** Offers an exception of each asset that fails. */
  readonly onExcept?: ((row: AffectedAssetRow) => void) | undefined
}

/** Assets that are not in order: those that fail, then those of which it is unknown. */
export const AffectedAssetsTable = ({ rows, empty, onExcept }: AffectedAssetsTableProps) => (
  <DataTable
    label="Assets not in order"
    columns={onExcept ? [...columns, exceptColumn(onExcept)] : columns}
    rows={rows}
    keyOf={({ assetId }) => assetId}
    empty={<p className="quiet">{empty}</p>}
  />
)

const exceptColumn = (onExcept: (row: AffectedAssetRow) => void): Column<AffectedAssetRow> => ({
  title: '',
  align: 'right',
  cell: (row) =>
    row.outcome === 'failed' &&
    !row.isExcepted && (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Except ${row.name}`}
        onClick={() => onExcept(row)}
      >
        Except…
      </Button>
    ),
})

const columns: readonly Column<AffectedAssetRow>[] = [
  {
    title: 'Asset',
    cell: ({ assetId, name }) => (
      <Link to="/assets/$assetId" params={{ assetId }}>
        {name}
      </Link>
    ),
  },
  {
    title: 'Found',
    cell: ({ outcome, isExcepted }) => <Outcome outcome={outcome} isExcepted={isExcepted} />,
  },
  { title: 'Since', isMinor: true, cell: ({ since }) => <Time at={since} /> },
]

function Outcome({ outcome, isExcepted }: Pick<AffectedAssetRow, 'outcome' | 'isExcepted'>) {
  if (isExcepted)
    return (
      <Badge tone="none" sign="○">
        Excepted
      </Badge>
    )
  return outcome === 'failed' ? (
    <Badge tone="bad" sign="×">
      Fails
    </Badge>
  ) : (
    <Badge tone="warn" sign="…">
      Unknown
    </Badge>
  )
}
