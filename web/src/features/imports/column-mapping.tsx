import { NativeSelect } from '@mantine/core'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { COLUMN_CHOICES } from './column-choices.ts'
import type { ImportDetails } from './import.ts'

type MappedColumn = ImportDetails['columns'][number]

interface ColumnMappingProps {
  readonly columns: readonly MappedColumn[]
  readonly isBusy: boolean
  /** Called with a field name for each column; empty for ignored columns. */
  readonly onChange: (columns: readonly string[]) => void
}

/** Maps the columns of a table to fields. Each field has at most one column: choosing it again clears the first. */
export function ColumnMapping({ columns, isBusy, onChange }: ColumnMappingProps) {
  const rows = columns.map((it, place) => ({ ...it, place }))
  const choose = (place: number, chosen: string) =>
    onChange(
      columns.map(({ column }, at) => {
        if (at === place) return chosen
        return column === null || column === chosen ? '' : column
      }),
    )
  const displayed: readonly Column<MappedColumn & { readonly place: number }>[] = [
    { title: 'In the file', cell: ({ title }) => title },
    {
      title: 'Is',
      cell: ({ title, column, place }) => (
        <NativeSelect
          aria-label={`Column ${title} is`}
          data={COLUMN_CHOICES}
          value={column ?? ''}
          disabled={isBusy}
          onChange={({ currentTarget }) => choose(place, currentTarget.value)}
        />
      ),
    },
    { title: 'For example', isMinor: true, cell: ({ examples }) => examples.join(', ') },
  ]
  return (
    <Panel title="Columns" isFlush>
      <DataTable
        label="Columns"
        columns={displayed}
        rows={rows}
        keyOf={({ place }) => String(place)}
        empty={null}
      />
    </Panel>
  )
}
