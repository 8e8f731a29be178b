import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Plus, Radio } from 'lucide-react'
import { useMemo, useState } from 'react'
import { AgentsDocument, type AgentRow, type AgentsData } from '#api/generated/agents.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar } from '#features/bulk-changes/row-by-row-bar.tsx'
import type { FacetField } from '#features/conditions/facets-panel.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ListFrame } from '#features/lists/list-frame.tsx'
import { readListSearch } from '#features/lists/list-search.ts'
import { useColumnLayout } from '#features/lists/use-column-layout.ts'
import { useListRows } from '#features/lists/use-list-rows.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { AddAgentsDialog } from './add-agents-dialog.tsx'
import { agentColumns } from './agent-columns.tsx'
import { agentName } from './agent-names.ts'
import { AgentPreview } from './agent-preview.tsx'
import { agentVerbs, useAgentActions } from './agent-verbs.tsx'

const source = { operation: AgentsDocument, rowsIn: ({ agents }: AgentsData) => agents }

const FACETS: readonly FacetField[] = [
  { field: 'state', label: 'State', isWord: true },
  { field: 'kind', label: 'Agent' },
  { field: 'version', label: 'Version' },
  { field: 'outdated', label: 'Old version', isWord: true },
]

const VIEWS = [
  { name: 'All agents', search: {} },
  {
    name: 'Silent for a day',
    search: { where: 'last_report < -1d and state != revoked', sort: 'last_report', direction: 'asc' },
  },
  { name: 'Old version', search: { where: 'outdated = yes' } },
  { name: 'Never reported', search: { where: 'not has last_report and state != revoked' } },
  { name: 'Refused', search: { where: 'has problem' } },
] as const

const BOX = {
  label: 'Search agents',
  placeholder: 'Host, address … or state, version, last_report, asset.os …',
  hint: 'Words search host, id and address. A field such as state or version makes it a condition.',
}

export function AgentsPage() {
  const search = useSearch({ from: '/app/agents', select: readListSearch, structuralSharing: true })
  const preview = usePreview()
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const add = () => setAdding(true)
  useFormOnArrival(add)
  const isWriter = usePermission()('agents:write')
  const { column, dialog } = useAgentActions()
  const all = useMemo(() => (isWriter ? [...agentColumns, column] : agentColumns), [isWriter, column])
  const layout = useColumnLayout<AgentRow, ListColumn<AgentRow>>({ subject: 'agent', all, search })
  const rows = useListRows(search, source)
  const selection = useSelection({ key: search, total: rows.total ?? 0 })
  const selected = rows.loaded.filter(({ id }) => selection.has(id))
  // hosts may have enrolled meanwhile that wait for approval
  const close = () => {
    setAdding(false)
    void client.invalidateQueries()
  }
  return (
    <>
      <ListFrame
        subject="agent"
        title="Agents"
        label="Agents"
        file="agents.csv"
        loading="Loading agents"
        description="Programs on hosts that report what is installed there, our own and those of GLPI, FusionInventory, OCS and osquery."
        actions={<Actions onAdd={add} />}
        box={BOX}
        usual={{ sort: 'name', direction: 'asc' }}
        facets={FACETS}
        views={VIEWS}
        read={readListSearch}
        nameOf={agentName}
        nothingYet={<NoAgents onAdd={add} />}
        bars={<RowByRowBar noun="agent" selection={selection} rows={selected} verbs={agentVerbs} />}
        selection={isWriter ? selection : undefined}
        previewPanel={
          preview.opened !== undefined && <AgentPreview id={preview.opened} onClose={preview.close} />
        }
        {...{ search, rows, layout, preview }}
      />
      {dialog}
      {isAdding && <AddAgentsDialog onClose={close} />}
    </>
  )
}

const Actions = ({ onAdd }: { readonly onAdd: () => void }) => (
  <>
    <Button variant="default" renderRoot={(props) => <Link to="/agents/tokens" {...props} />}>
      Enrolment tokens
    </Button>
    <AddAgentsButton onClick={onAdd} />
  </>
)

interface AddAgentsButtonProps {
  /** Beside the same button at the head of the page. */
  readonly isSecond?: boolean
  readonly onClick: () => void
}

function AddAgentsButton({ isSecond = false, onClick }: AddAgentsButtonProps) {
  const may = usePermission()
  return (
    <Button
      variant={isSecond ? 'default' : 'filled'}
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
    <EmptyState
      icon={Radio}
      title="No agent reports yet"
      action={<AddAgentsButton isSecond onClick={onAdd} />}
    >
      Three lines on a host make an asset with its software, which is then kept current.
    </EmptyState>
  )
}
