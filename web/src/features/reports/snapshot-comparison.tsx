import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  CompareReportSnapshotsDocument,
  type ReportRowChange,
  type ReportSnapshotRow,
} from '#api/generated/reports.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import styles from './snapshot-comparison.module.css'

/** What the main table of one snapshot says and that of another does not; at first of the two latest. */
export function SnapshotComparison({ snapshots }: { readonly snapshots: readonly ReportSnapshotRow[] }) {
  const good = snapshots.filter(({ status }) => status === 'available')
  const [latest, before] = good
  const [chosen, setChosen] = useState<{ readonly from?: string; readonly to?: string }>({})
  if (!latest || !before) return null
  const from = good.find(({ id }) => id === chosen.from)?.id ?? before.id
  const to = good.find(({ id }) => id === chosen.to)?.id ?? latest.id
  const data = good.map(({ id, takenAt }) => ({ value: id, label: timeOf(takenAt) }))
  return (
    <Panel title="What changed between">
      <div className={styles['choice']}>
        <Select
          label="Earlier"
          data={data}
          value={from}
          allowDeselect={false}
          onChange={(id) => id !== null && setChosen({ ...chosen, from: id })}
        />
        <Select
          label="Later"
          data={data}
          value={to}
          allowDeselect={false}
          onChange={(id) => id !== null && setChosen({ ...chosen, to: id })}
        />
      </div>
      <Differences from={from} to={to} />
    </Panel>
  )
}

const timeOf = (at: string | null): string => (at ?? '').slice(0, 19).replace('T', ' ')

type Difference = ReportRowChange & { readonly what: 'Added' | 'Gone' | 'Changed' }

function Differences({ from, to }: { readonly from: string; readonly to: string }) {
  const { data, error, refetch } = useQuery(q(CompareReportSnapshotsDocument, { from, to }))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const found = data?.compareReportSnapshots
  const rows = found && [
    ...found.added.map((it): Difference => ({ ...it, what: 'Added' })),
    ...found.gone.map((it): Difference => ({ ...it, what: 'Gone' })),
    ...found.changed.map((it): Difference => ({ ...it, what: 'Changed' })),
  ]
  return (
    <>
      {found && (
        <p className={styles['counts']}>
          {count(found.addedCount)} added, {count(found.goneCount)} gone, {count(found.changedCount)} changed,{' '}
          {count(found.unchangedCount)} as before.
        </p>
      )}
      <DataTable
        label="Differences"
        columns={columns}
        rows={rows}
        keyOf={({ what, key }) => `${what} ${key}`}
        empty={<p className={styles['counts']}>Both say the same.</p>}
      />
    </>
  )
}

const columns: readonly Column<Difference>[] = [
  { title: 'What', cell: ({ what }) => what },
  { title: 'Row', cell: ({ name }) => name },
  {
    title: 'Columns',
    cell: ({ cells }) =>
      cells.map(({ column, before, after }) => (
        <TwoLines
          key={column}
          below={`${before === '' ? 'nothing' : before} → ${after === '' ? 'nothing' : after}`}
        >
          {column}
        </TwoLines>
      )),
  },
]
