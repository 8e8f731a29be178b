import { Link } from '@tanstack/react-router'
import type { AgentRow } from '#api/generated/agents.ts'
import type { ListColumn } from '#features/lists/list-column.ts'
import { Time } from '#ui/time.tsx'
import { agentName, programName } from './agent-names.ts'
import { AgentStateBadge } from './agent-state-badge.tsx'

export const agentColumns: readonly ListColumn<AgentRow>[] = [
  { key: 'name', title: 'Host', width: 9, grow: 1.2, cell: (agent) => <Host {...agent} />, sort: 'name' },
  {
    key: 'state',
    title: 'State',
    width: 11,
    cell: ({ state, why }) => (
      <span title={why}>
        <AgentStateBadge state={state} />
      </span>
    ),
    sort: 'state',
  },
  {
    key: 'lastReport',
    title: 'Last report',
    width: 7,
    cell: ({ lastReportAt }) => <Time at={lastReportAt} />,
    sort: 'last_report',
    isGreatestFirst: true,
  },
  { key: 'kind', title: 'Agent', width: 8, cell: ({ kind }) => programName(kind), sort: 'kind' },
  {
    key: 'version',
    title: 'Version',
    width: 5,
    cell: ({ version }) => version || <span className="quiet">not told</span>,
  },
  { key: 'address', title: 'Address', width: 7, cell: ({ address }) => address, sort: 'address' },
  { key: 'token', title: 'Token', width: 7, fillsWidth: true, cell: ({ tokenName }) => tokenName },
  { key: 'why', title: 'Reason', width: 12, grow: 1, cell: ({ why }) => why, isExtra: true },
  {
    key: 'firstSeen',
    title: 'First seen',
    width: 8,
    cell: ({ firstSeenAt }) => <Time at={firstSeenAt} />,
    sort: 'first_seen',
    isGreatestFirst: true,
    isExtra: true,
  },
]

function Host(agent: AgentRow) {
  if (agent.assetId === null) return <span title={agentName(agent)}>{agentName(agent)}</span>
  return (
    <Link to="/assets/$assetId" params={{ assetId: agent.assetId }}>
      {agentName(agent)}
    </Link>
  )
}
