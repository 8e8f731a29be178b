import { count, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { columnLabel, withColumnLabels } from './column-choices.ts'

interface Rejection {
  readonly line: number
  readonly field: string
  readonly message: string
}

interface RejectedRowsProps {
  /** Of the file. */
  readonly columns: readonly { readonly title: string; readonly column: string | null }[]
  readonly title: string
  /** The first rejected rows. */
  readonly rejected: readonly Rejection[]
  readonly total: number
}

/** Rejected rows with reasons; renders nothing if there are none. */
export function RejectedRows({ title, columns, rejected, total }: RejectedRowsProps) {
  if (total === 0) return null
  return (
    <Panel
      title={title}
      aside={
        <Badge tone="warn" sign="!">
          {many(total, 'row')}
        </Badge>
      }
      isFlush
    >
      <DataTable
        label={title}
        columns={[
          { title: 'Line', align: 'right', cell: ({ line }) => count(line) },
          { title: 'Field', cell: ({ field }) => columnLabel(field, columns) ?? <code>{field}</code> },
          { title: 'Why', cell: ({ message }) => withColumnLabels(message, columns) },
        ]}
        rows={rejected.map((it, index) => ({ ...it, key: `${index}` }))}
        keyOf={({ key }) => key}
        empty={null}
      />
      {total > rejected.length && (
        <p className="quiet">
          The first {count(rejected.length)} of {count(total)}.
        </p>
      )}
    </Panel>
  )
}
