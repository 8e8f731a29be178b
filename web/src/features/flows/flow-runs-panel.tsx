import { Link } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import type { FlowRunRow } from '#api/generated/flows.ts'
import { count } from '#lib/numbers.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { causeText } from './flow-sentence.ts'
import { RunState } from './flow-state.tsx'

interface Runs {
  readonly total: number
  readonly items: readonly FlowRunRow[]
}

interface FlowRunsPanelProps {
  readonly flowId: string
  readonly runs: Runs
}

export function FlowRunsPanel({ flowId, runs }: FlowRunsPanelProps) {
  const columns: readonly Column<FlowRunRow>[] = [
    {
      title: 'Begun',
      cell: ({ id: runId, createdAt }) => (
        <Link to="/flows/$flowId/runs/$runId" params={{ flowId, runId }}>
          <Time at={createdAt} />
        </Link>
      ),
    },
    { title: 'Status', cell: ({ status }) => <RunState status={status} /> },
    { title: 'Why it began', isMinor: true, cell: ({ cause }) => causeText({ cause }) },
    {
      title: 'Asset',
      isMinor: true,
      cell: ({ assetId, assetName }) =>
        assetId && (
          <Link to="/assets/$assetId" params={{ assetId }}>
            {assetName || 'an asset that is gone'}
          </Link>
        ),
    },
    { title: 'Outcome', cell: ({ reason }) => reason },
  ]
  return (
    <Panel title="Runs" aside={count(runs.total)} isFlush>
      <DataTable
        label="Runs"
        columns={columns}
        rows={runs.items}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={Workflow} title="No run yet">
            It runs when its trigger starts it while it is on.
          </EmptyState>
        }
      />
    </Panel>
  )
}
