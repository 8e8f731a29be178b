import { NativeSelect } from '@mantine/core'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import type { ImportDetails } from './import.ts'

/** Fields of the server with their labels. */
const CHOICES = [
  { value: '', label: 'Leave out' },
  { value: 'name', label: 'Name' },
  { value: 'hostname', label: 'Host name' },
  { value: 'ipAddress', label: 'IP address' },
  { value: 'macAddress', label: 'MAC address' },
  { value: 'serial', label: 'Serial number' },
  { value: 'assetType', label: 'Type' },
  { value: 'os', label: 'Operating system' },
  { value: 'tags', label: 'Tags (between semicolons)' },
  { value: 'lastSeen', label: 'Last seen' },
  { value: 'riskScore', label: 'Risk score (not taken)' },
  { value: 'owner', label: 'Owner' },
  { value: 'department', label: 'Department' },
  { value: 'costCentre', label: 'Cost centre' },
  { value: 'site', label: 'Site' },
  { value: 'state', label: 'State' },
  { value: 'purchasedOn', label: 'Purchased on' },
  { value: 'price', label: 'Price' },
  { value: 'currency', label: 'Currency' },
  { value: 'supplier', label: 'Supplier' },
  { value: 'orderNumber', label: 'Order number' },
  { value: 'warrantyEnds', label: 'Warranty ends' },
  { value: 'leaseEnds', label: 'Lease ends' },
  { value: 'replaceOn', label: 'Replace on' },
  { value: 'hardwareEol', label: 'Hardware end of life' },
  { value: 'approved', label: 'Approved' },
  { value: 'externallyScannedOn', label: 'Scanned from outside on' },
  { value: 'notes', label: 'Notes' },
  { value: 'id', label: "Rollcall's id" },
]

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
          data={CHOICES}
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
