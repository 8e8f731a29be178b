import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Radio } from 'lucide-react'
import { useState } from 'react'
import { AgentsDocument } from '#api/generated/agents.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'
import { Pagination } from '#ui/table/pagination.tsx'
import { Panel } from '#ui/panel.tsx'
import { useOffset } from '#ui/table/use-address-value.ts'
import { AddAgentsDialog } from './add-agents-dialog.tsx'
import { AgentTable } from './agent-table.tsx'
import { EnrolmentTokensPanel } from './enrolment-tokens-panel.tsx'

const PAGE_SIZE = 50

export function AgentsPage() {
  const [offset, setOffset] = useOffset('Agents')
  const { data, error, refetch } = useQuery(q(AgentsDocument, { first: PAGE_SIZE, offset }))
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)
  useFormOnArrival(add)
  // hosts may have enrolled meanwhile that wait for approval
  const close = () => {
    setAdding(false)
    void refetch()
  }
  const agents = data?.agents
  return (
    <Page
      title="Agents"
      aside={agents && <Badge>{count(agents.total)}</Badge>}
      description="Programs on hosts that report what is installed there, our own and those of GLPI, FusionInventory, OCS and osquery."
      actions={<AddAgentsButton onClick={add} />}
    >
      <Panel isFlush>
        <AgentTable
          rows={agents?.items}
          total={agents?.total}
          error={error}
          onRetry={() => void refetch()}
          empty={<NoAgents onAdd={add} />}
        />
      </Panel>
      {agents && <Pagination offset={offset} size={PAGE_SIZE} total={agents.total} onOffset={setOffset} />}
      <AfterLoading>
        <p className="quiet">
          Who is told of agents that fall silent is decided by a flow: <Link to="/flows">Flows</Link> offers
          “Agent silent for 14 days” once agents report.
        </p>
        <EnrolmentTokensPanel />
      </AfterLoading>
      {isAdding && <AddAgentsDialog onClose={close} />}
    </Page>
  )
}

function AddAgentsButton({ onClick }: { readonly onClick: () => void }) {
  const may = usePermission()
  return (
    <Button
      leftSection={<Plus size={14} aria-hidden />}
      disabled={!may('agents:write')}
      title={may('agents:write') ? undefined : 'Your role does not add agents'}
      onClick={onClick}
    >
      Add agents
    </Button>
  )
}

function NoAgents({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <EmptyState icon={Radio} title="No agent reports yet" action={<AddAgentsButton onClick={onAdd} />}>
      Three lines on a host make an asset with its software, which is then kept current.
    </EmptyState>
  )
}
