import { Link } from '@tanstack/react-router'
import { count, many } from '#lib/numbers.ts'
import { sentenceCase } from '#lib/sentence-case.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import type { ImportDetails } from './import.ts'

type Comparison = NonNullable<ImportDetails['comparison']>
type Compared = Comparison['different'][number]

/** After an export of another inventory was imported: what each side missed, and where they differ. */
export function ImportComparison({ comparison }: { readonly comparison: Comparison }) {
  const { shared, differentTotal, onlyThereTotal, onlyHereTotal } = comparison
  return (
    <>
      <Panel title="Both sides compared">
        <p>
          {many(shared, 'asset')} known to both sides, {count(differentTotal)} with values that differ.{' '}
          {count(onlyThereTotal)} only in this export, {count(onlyHereTotal)} only here. Archived assets are
          left out.
        </p>
      </Panel>
      <Side title="Values that differ" total={differentTotal} assets={comparison.different} withValues />
      <Side title="Only in this export" total={onlyThereTotal} assets={comparison.onlyThere} />
      <Side title="Only here" total={onlyHereTotal} assets={comparison.onlyHere} />
    </>
  )
}

interface SideProps {
  readonly title: string
  readonly total: number
  readonly assets: readonly Compared[]
  readonly withValues?: boolean
}

function Side({ title, total, assets, withValues = false }: SideProps) {
  if (total === 0) return null
  const more = total - assets.length
  return (
    <Panel title={title} aside={<span className="quiet">{count(total)}</span>} isFlush>
      <DataTable
        label={title}
        columns={withValues ? [name, values] : [name]}
        rows={assets}
        keyOf={({ id }) => id}
        empty={null}
      />
      {more > 0 && (
        <p className="quiet">
          And {count(more)} more: <code>rollcall source compare</code> lists them.
        </p>
      )}
    </Panel>
  )
}

const name: Column<Compared> = {
  title: 'Asset',
  cell: (it) => (
    <Link to="/assets/$assetId" params={{ assetId: it.id }}>
      {it.name}
    </Link>
  ),
}
const values: Column<Compared> = {
  title: 'There, and here',
  cell: (it) => (
    <>
      {it.values.map(({ attribute, there, here }) => (
        <div key={attribute}>
          {sentenceCase(attribute)}: {there} there, {here} here
        </div>
      ))}
    </>
  ),
}
