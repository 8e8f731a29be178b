import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Workflow } from 'lucide-react'
import { useState } from 'react'
import { FlowsDocument, type FlowsData } from '#api/generated/flows.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Time } from '#ui/time.tsx'
import { FlowStopNotice, StopFlowsButton } from './flow-stop-panel.tsx'
import type { Definition } from './flow-sentence.ts'
import { FlowState } from './flow-state.tsx'
import { flowSummary } from './flow-summary.ts'
import { ReadyFlowsDialog } from './ready-flows-dialog.tsx'
import { SecretsPanel } from './secrets/secrets-panel.tsx'

type ListedFlow = FlowsData['flows']['items'][number]

const SHOWN_MAX = 200

export function FlowsPage() {
  const { data, error, refetch } = useQuery(q(FlowsDocument, { first: SHOWN_MAX, offset: 0 }))
  const [isCreating, setCreating] = useState(false)
  const create = () => setCreating(true)
  const flows = data?.flows
  return (
    <Page
      title="Flows"
      aside={flows && <Badge>{count(flows.total)}</Badge>}
      description="What happens by itself: when something occurs, if a condition holds, do these steps."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link to="/flows/runs" {...props} />}>
            All runs
          </Button>
          <StopFlowsButton />
          <ReadyFlowsButton onClick={create} />
          <NewFlowButton />
        </>
      }
    >
      <FlowStopNotice />
      <Panel isFlush>
        <DataTable
          label="Flows"
          columns={columns}
          rows={flows?.items}
          total={flows?.total}
          keyOf={({ id }) => id}
          error={error}
          onRetry={() => void refetch()}
          empty={<NoFlows onCreate={create} />}
        />
      </Panel>
      {flows && <SecretsPanel />}
      {isCreating && <ReadyFlowsDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

const columns: readonly Column<ListedFlow>[] = [
  {
    title: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ id, name, definition }) => (
      <TwoLines below={flowSummary(definition as Definition)}>
        <Link to="/flows/$flowId" params={{ flowId: id }}>
          {name}
        </Link>
      </TwoLines>
    ),
  },
  { title: 'State', cell: (flow) => <FlowState {...flow} /> },
  {
    title: 'Last run',
    sortBy: ({ lastTriggeredAt }) => lastTriggeredAt,
    isMinor: true,
    cell: ({ lastTriggeredAt }) => (lastTriggeredAt === null ? 'never' : <Time at={lastTriggeredAt} />),
  },
]

function NewFlowButton() {
  const may = usePermission()
  if (!may('flows:write')) return null
  return (
    <Button
      leftSection={<Plus size={14} aria-hidden />}
      renderRoot={(props) => <Link to="/flows/new" {...props} />}
    >
      New flow
    </Button>
  )
}

function ReadyFlowsButton({ onClick }: { readonly onClick: () => void }) {
  const may = usePermission()
  return (
    <Button
      variant="default"
      disabled={!may('flows:write')}
      title={may('flows:write') ? undefined : 'Your role cannot create flows'}
      onClick={onClick}
    >
      Ready flows…
    </Button>
  )
}

function NoFlows({ onCreate }: { readonly onCreate: () => void }) {
  return (
    <EmptyState icon={Workflow} title="No flow yet" action={<ReadyFlowsButton onClick={onCreate} />}>
      A flow tags new devices, marks assets with exploited vulnerabilities or tells another system. Begin with
      a ready one and change it.
    </EmptyState>
  )
}
