import { useQuery } from '@tanstack/react-query'
import { FlowApprovalsDocument } from '#api/generated/approvals.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { ApprovalList } from './approval-list.tsx'

const SHOWN_MAX = 50
const REFRESH_MS = 5_000

interface ApprovalsPanelProps {
  /** Of a flow: what can still be answered. */
  readonly flowId?: string
  /** Of a run: all that it asked. */
  readonly runId?: string
}

/** Absent where nothing was asked. */
export function ApprovalsPanel({ flowId, runId }: ApprovalsPanelProps) {
  const may = usePermission()
  const { data } = useQuery({
    ...q(FlowApprovalsDocument, {
      first: SHOWN_MAX,
      isOpen: runId === undefined,
      flowId: flowId ?? null,
      runId: runId ?? null,
    }),
    enabled: may('approvals:read'),
    refetchInterval: REFRESH_MS,
  })
  const approvals = data?.flowApprovals
  if (!approvals || approvals.total === 0) return null
  return (
    <Panel title="Approvals" aside={count(approvals.total)} isFlush>
      <ApprovalList label="Approvals" approvals={approvals.items} />
    </Panel>
  )
}
