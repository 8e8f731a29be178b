import type { AgentRow } from '#api/generated/agents.ts'
import { Badge } from '#ui/badge.tsx'

export function AgentStateBadge({ state }: Pick<AgentRow, 'state'>) {
  switch (state) {
    case 'reporting':
      return (
        <Badge tone="good" sign="●">
          Reporting
        </Badge>
      )
    case 'pending':
      return (
        <Badge tone="warn" sign="◐">
          Waiting for approval
        </Badge>
      )
    case 'waiting':
      return <Badge sign="…">Waiting for its first report</Badge>
    case 'silent':
      return (
        <Badge tone="warn" sign="!">
          Silent
        </Badge>
      )
    case 'revoked':
      return <Badge sign="×">Revoked</Badge>
  }
}
