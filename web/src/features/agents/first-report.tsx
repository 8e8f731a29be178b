import { useQuery } from '@tanstack/react-query'
import { AgentsOfTokenDocument } from '#api/generated/agents.ts'
import { q } from '#api/query-client.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'

const ASK_EVERY_MS = 3_000

/** Waits until the first host that has the token reports, then names those that did. */
export function FirstReport({ tokenId }: { readonly tokenId: string }) {
  const { data } = useQuery({ ...q(AgentsOfTokenDocument, { tokenId }), refetchInterval: ASK_EVERY_MS })
  const reporting = data?.agents.items.filter(({ lastReportAt }) => lastReportAt !== null) ?? []
  const waiting = data?.agents.items.filter(({ state }) => state === 'pending') ?? []
  const others = (data?.agents.total ?? 0) - reporting.length
  return (
    <div role="status">
      {waiting.length > 0 && (
        <Badge tone="warn" sign="◐">
          {`Waiting for approval: ${waiting.map(({ name, deviceId }) => name || deviceId).join(', ')}`}
        </Badge>
      )}
      {reporting.length === 0 ? (
        <Badge sign="…">Waiting for the first report</Badge>
      ) : (
        <Badge tone="good" sign="✓">
          {`Reporting: ${reporting.map(({ name, deviceId }) => name || deviceId).join(', ')}`}
        </Badge>
      )}
      {reporting.length > 0 && others > 0 && <span className="quiet"> and {count(others)} more</span>}
    </div>
  )
}
