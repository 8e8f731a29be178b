import { Button, Drawer } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { useState } from 'react'
import {
  CancelFlowRunDocument,
  FlowRunStepsDocument,
  RerunFlowDocument,
  type FlowRunRow,
} from '#api/generated/operations.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { JsonBlock } from '#ui/json-block.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Panel } from '#ui/panel.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { Timeline } from '#ui/timeline.tsx'
import { RunState } from './flow-state.tsx'

interface Runs {
  readonly total: number
  readonly items: readonly FlowRunRow[]
}

export function FlowRunsPanel({ runs }: { readonly runs: Runs }) {
  const [opened, setOpened] = useState<string>()
  const columns: readonly Column<FlowRunRow>[] = [
    {
      title: 'Begun',
      cell: ({ id, createdAt }) => (
        <Button variant="subtle" size="compact-sm" onClick={() => setOpened(id)}>
          <Time at={createdAt} />
        </Button>
      ),
    },
    { title: 'State', cell: ({ status }) => <RunState status={status} /> },
    { title: 'Because of', isMinor: true, cell: ({ cause }) => cause },
    {
      title: 'Asset',
      isMinor: true,
      cell: ({ assetId }) =>
        assetId && (
          <Link to="/assets/$assetId" params={{ assetId }}>
            asset
          </Link>
        ),
    },
    { title: 'Why', cell: ({ reason }) => reason },
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
      <Drawer opened={opened !== undefined} onClose={() => setOpened(undefined)} title="Run" position="right">
        {opened !== undefined && <RunSteps id={opened} />}
      </Drawer>
    </Panel>
  )
}

function RunSteps({ id }: { readonly id: string }) {
  const may = usePermission()
  const { data, error, refetch } = useQuery(q(FlowRunStepsDocument, { id }))
  const cancel = useChange(CancelFlowRunDocument, { done: 'Run cancelled' })
  const rerun = useChange(RerunFlowDocument, { done: 'A new run began there' })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const run = data?.flowRun
  if (!run) return null
  const isOpen = ['pending', 'running', 'waiting'].includes(run.status)
  return (
    <>
      <p>{run.reason ?? run.status}</p>
      {isOpen && may('flows:write') && (
        <Button variant="default" onClick={() => cancel.mutate({ id })}>
          Cancel run
        </Button>
      )}
      <Timeline
        entries={run.steps.map((step) => ({
          id: `${step.path} ${step.startedAt}`,
          at: step.startedAt,
          title: `${step.action}: ${step.status}, ${step.ms} ms`,
          text: (
            <>
              {step.fault && <p>{step.fault}</p>}
              <JsonBlock
                label={`What ${step.path} was given and gave`}
                value={{ input: step.input, output: step.output }}
              />
              {!isOpen && may('flows:write') && (
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => rerun.mutate({ runId: id, path: step.path })}
                >
                  Run again from here
                </Button>
              )}
            </>
          ),
        }))}
      />
      {run.steps.length === 0 && <p className="quiet">No step has been done.</p>}
    </>
  )
}
