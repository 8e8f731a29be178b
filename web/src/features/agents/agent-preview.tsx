import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AgentsDocument, type AgentRow } from '#api/generated/agents.ts'
import { q } from '#api/query-client.ts'
import { compareTerm } from '#features/conditions/condition-terms.ts'
import { PreviewFacts } from '#features/lists/preview-facts.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { PreviewPanel } from '#ui/preview-panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { Time } from '#ui/time.tsx'
import { agentName, programName } from './agent-names.ts'
import { AgentStateBadge } from './agent-state-badge.tsx'

interface AgentPreviewProps {
  readonly id: string
  readonly onClose: () => void
}

/** An agent beside its list: when it reported, and why it does not. */
export function AgentPreview({ id, onClose }: AgentPreviewProps) {
  const { data, error, refetch } = useQuery(
    q(AgentsDocument, { where: compareTerm('id', [id]), sort: null, first: 1, offset: 0 }),
  )
  const [agent] = data?.agents.items ?? []
  return (
    <PreviewPanel
      title={agent ? agentName(agent) : 'Agent'}
      actions={agent?.assetId && <AssetButton assetId={agent.assetId} />}
      onClose={onClose}
    >
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonBlock label="Loading the agent" />}
      {data && !agent && <p>There is no such agent any more.</p>}
      {agent && <Content agent={agent} />}
    </PreviewPanel>
  )
}

const AssetButton = ({ assetId }: { readonly assetId: string }) => (
  <Button
    variant="default"
    renderRoot={(props) => <Link to="/assets/$assetId" params={{ assetId }} {...props} />}
  >
    Open
  </Button>
)

const Content = ({ agent }: { readonly agent: AgentRow }) => (
  <>
    <PreviewFacts
      facts={[
        { title: 'State', value: <AgentStateBadge state={agent.state} /> },
        ...(agent.why ? [{ title: 'Reason', value: agent.why }] : []),
        { title: 'Last report', value: <Time at={agent.lastReportAt} /> },
        { title: 'Agent', value: programName(agent.kind) },
        { title: 'Version', value: agent.version },
        { title: 'Address', value: agent.address },
        { title: 'Token', value: agent.tokenName },
        { title: 'First seen', value: <Time at={agent.firstSeenAt} /> },
      ]}
    />
    <p className="quiet">
      Who is told of agents that fall silent is decided by a flow: <Link to="/flows">Flows</Link> offers
      “Agent silent for 14 days” once agents report.
    </p>
  </>
)
