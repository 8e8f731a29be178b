import { Button } from '@mantine/core'
import { DecideComplianceCheckUpgradeDocument, type ComplianceCheckData } from '#api/generated/checks.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'

type Upgraded = ComplianceCheckData['complianceCheck']['upgrade'][number]

interface CheckUpgradePanelProps {
  readonly checkId: string
  readonly upgrade: readonly Upgraded[]
}

/** What an upgrade of the product changed in the original of a copy, to take or to leave. */
export function CheckUpgradePanel({ checkId, upgrade }: CheckUpgradePanelProps) {
  const may = usePermission()
  const decide = useChange(DecideComplianceCheckUpgradeDocument, {
    done: 'Decided; it is judged with the next round, which begins at once',
  })
  if (upgrade.length === 0) return null
  return (
    <Panel isFlush title="The original has changed">
      <DataTable
        label="What changed"
        columns={columns}
        rows={upgrade}
        keyOf={({ field }) => field}
        empty={null}
      />
      {may('compliance:write') && (
        <p>
          <Button
            size="compact-sm"
            loading={decide.isPending}
            onClick={() => decide.mutate({ id: checkId, take: true })}
          >
            Take the changes
          </Button>{' '}
          <Button
            size="compact-sm"
            variant="default"
            loading={decide.isPending}
            onClick={() => decide.mutate({ id: checkId, take: false })}
          >
            Keep the copy as it is
          </Button>
        </p>
      )}
    </Panel>
  )
}

const columns: readonly Column<Upgraded>[] = [
  { title: 'Field', cell: ({ field }) => field },
  { title: 'When copied', isMinor: true, cell: ({ copied }) => <code>{copied}</code> },
  { title: 'Here', cell: ({ own }) => <code>{own}</code> },
  { title: 'Original now', cell: ({ shipped }) => <code>{shipped}</code> },
]
