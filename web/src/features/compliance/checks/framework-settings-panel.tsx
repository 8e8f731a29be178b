import { Switch } from '@mantine/core'
import { SetComplianceCheckDocument, type ComplianceCheckData } from '#api/generated/checks.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'

type Detail = ComplianceCheckData['complianceCheck']

interface Row {
  readonly framework: string
  readonly isOff: boolean
  /** Null: that of the check. */
  readonly tolerance: string | null
}

/** For which adopted frameworks a check counts. */
export function FrameworkSettingsPanel({ check, countsFor, settings }: Detail) {
  const may = usePermission()
  const set = useChange(SetComplianceCheckDocument, {
    done: 'Saved; it is judged with the next round, which begins at once',
  })
  const adopted = new Set(countsFor.flatMap(({ framework, status }) => (status === null ? [] : framework)))
  if (adopted.size === 0) return null
  const rows = [...adopted].map(
    (framework): Row =>
      settings.find((it) => it.framework === framework) ?? { framework, isOff: false, tolerance: null },
  )
  const isFixed = set.isPending || !may('compliance:write')
  const onSwitch = (row: Row, isOff: boolean) => set.mutate({ ...row, checkId: check.id, isOff })
  return (
    <Panel isFlush title="In your frameworks">
      <DataTable
        label="Frameworks that it counts for"
        columns={columnsFor(isFixed, onSwitch)}
        rows={rows}
        keyOf={({ framework }) => framework}
        empty={null}
      />
    </Panel>
  )
}

const columnsFor = (
  isFixed: boolean,
  onSwitch: (row: Row, isOff: boolean) => void,
): readonly Column<Row>[] => [
  { title: 'Framework', cell: ({ framework }) => framework },
  {
    title: 'May fail',
    isMinor: true,
    cell: ({ tolerance }) => tolerance ?? <span className="quiet">as the check says</span>,
  },
  {
    title: 'Counts',
    align: 'right',
    cell: (row) => (
      <Switch
        aria-label={`Counts for ${row.framework}`}
        checked={!row.isOff}
        disabled={isFixed}
        onChange={({ currentTarget }) => onSwitch(row, !currentTarget.checked)}
      />
    ),
  },
]
