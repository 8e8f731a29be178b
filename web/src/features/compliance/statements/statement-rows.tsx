import { Checkbox } from '@mantine/core'
import type { StatedControlRow } from '#api/generated/statements.ts'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { StatusBadge } from '../status-badge.tsx'

interface StatementRowsProps {
  readonly rows: readonly StatedControlRow[]
  readonly canSelect: boolean
  readonly selected: readonly string[]
  readonly onSelect: (controlIds: readonly string[]) => void
}

/** Which controls apply, and why; those of a draft can be selected, to edit them together. */
export function StatementRows({ rows, canSelect, selected, onSelect }: StatementRowsProps) {
  const chosen = new Set(selected)
  const toggle = (id: string) =>
    onSelect(chosen.has(id) ? selected.filter((it) => it !== id) : [...selected, id])
  const choice: Column<StatedControlRow> = {
    title: 'Select',
    cell: ({ controlId }) => (
      <Checkbox
        aria-label={`Select ${controlId}`}
        checked={chosen.has(controlId)}
        onChange={() => toggle(controlId)}
      />
    ),
  }
  const all = (
    <Checkbox
      label="Select all"
      checked={rows.length > 0 && selected.length === rows.length}
      indeterminate={selected.length > 0 && selected.length < rows.length}
      onChange={() => onSelect(selected.length === rows.length ? [] : rows.map(({ controlId }) => controlId))}
    />
  )
  const excluded = rows.filter(({ isApplicable }) => !isApplicable).length
  const bare = rows.filter(({ justification }) => justification === '').length
  return (
    <Panel isFlush title="Controls" aside={canSelect && all}>
      <p className="quiet">
        {count(rows.length)} controls, {count(excluded)} excluded, {count(bare)} without a justification.
      </p>
      <DataTable
        label="Controls of the statement"
        columns={canSelect ? [choice, ...columns] : columns}
        rows={rows}
        keyOf={({ controlId }) => controlId}
        empty={<p className="quiet">The framework has no controls.</p>}
      />
    </Panel>
  )
}

const columns: readonly Column<StatedControlRow>[] = [
  {
    title: 'Control',
    cell: ({ controlId, title, justification }) => (
      <TwoLines below={justification === '' ? 'No justification yet' : justification}>
        {controlId} {title}
      </TwoLines>
    ),
  },
  { title: 'Evaluated', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Applies', cell: ({ isApplicable }) => (isApplicable ? 'Yes' : 'No') },
  {
    title: 'Implementation',
    isMinor: true,
    cell: ({ implementation }) => (implementation === 'unstated' ? '' : implementation),
  },
  { title: 'Owner', isMinor: true, cell: ({ owner }) => owner },
  { title: 'Measures', isMinor: true, cell: ({ measures }) => measures },
  { title: 'Next review', isMinor: true, cell: ({ nextReviewOn }) => nextReviewOn },
]
