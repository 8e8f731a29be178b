import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { Workflow } from 'lucide-react'
import { FlowRunListDocument, type FlowRunListData, type ListedFlowRun } from '#api/generated/flows.ts'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { useRefreshWhile } from '#features/lists/use-refresh-while.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { flowRunColumns } from './flow-run-columns.tsx'
import { FlowRunPreview } from './flow-run-preview.tsx'

const source = {
  operation: FlowRunListDocument,
  rowsIn: ({ flowRuns }: FlowRunListData) => flowRuns,
}

const FACETS: readonly FacetField[] = [
  { field: 'status', label: 'State', isWord: true },
  { field: 'flow', label: 'Flow' },
  { field: 'trigger', label: 'Started by', isWord: true },
  { field: 'asset.site', label: 'Site of the asset' },
]

const VIEWS = [
  { name: 'All runs', search: {} },
  { name: 'Failed this week', search: { where: 'status = failed and created_at >= -7d' } },
  { name: 'Under way', search: { where: 'status in (pending, running, waiting)' } },
] as const

const isUnderWay = ({ finishedAt }: ListedFlowRun): boolean => finishedAt === null

/** The runs of all flows. */
export function FlowRunsPage() {
  const search = useSearch({ from: '/app/flows/runs', select: readListSearch, structuralSharing: true })
  const preview = usePreview()
  const layout = useColumnLayout<ListedFlowRun, ListColumn<ListedFlowRun>>({
    subject: 'flow_run',
    all: flowRunColumns,
    search,
  })
  const rows = useListRows(search, source)
  useRefreshWhile(rows.loaded.some(isUnderWay), FlowRunListDocument)
  return (
    <ListFrame
      subject="flow_run"
      title="Runs of flows"
      label="Runs of flows"
      file="flow-runs.csv"
      loading="Loading runs"
      description="Every time that a flow began: what started it, about which asset, and what came of it."
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/flows" {...props} />}>
          Flows
        </Button>
      }
      box={{
        label: 'Search runs',
        placeholder: 'Flow or error … or status, trigger, started, duration …',
        hint: 'Words search the name of the flow and why a run failed. A field such as status makes it a condition.',
      }}
      usual={{ sort: 'created_at', direction: 'desc' }}
      facets={FACETS}
      views={VIEWS}
      read={readListSearch}
      nameOf={({ flowName, status }) => `${flowName} ${status}`}
      pathOf={({ id, flowId }) => `/flows/${flowId}/runs/${id}`}
      nothingYet={
        <EmptyState
          icon={Workflow}
          title="No flow has run yet"
          action={<Button renderRoot={(props) => <Link to="/flows" {...props} />}>Open flows</Button>}
        >
          A flow that is on runs when its trigger starts it; by hand it is started on its page.
        </EmptyState>
      }
      previewPanel={
        preview.opened !== undefined && <FlowRunPreview id={preview.opened} onClose={preview.close} />
      }
      {...{ search, rows, layout, preview }}
    />
  )
}
