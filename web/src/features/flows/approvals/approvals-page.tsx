import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { FlowApprovalsDocument, type FlowApprovalRow } from '#api/generated/approvals.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { ApprovalList } from './approval-list.tsx'
import { DecideApprovalsDialog, type Answer } from './decide-approvals-dialog.tsx'

/** As many as can be answered at once. */
const SHOWN_MAX = 200
const ANSWERED_SHOWN = 50
const REFRESH_MS = 10_000

/** What runs of flows ask of people. */
export function ApprovalsPage() {
  const open = useQuery({
    ...q(FlowApprovalsDocument, { first: SHOWN_MAX, isOpen: true }),
    refetchInterval: REFRESH_MS,
  })
  const latest = useQuery(q(FlowApprovalsDocument, { first: ANSWERED_SHOWN }))
  const waiting = open.data?.flowApprovals
  const answered = latest.data?.flowApprovals.items.filter(({ state }) => state !== 'open') ?? []
  return (
    <Page
      title="Approvals"
      aside={waiting && <Badge>{count(waiting.total)}</Badge>}
      description="What flows ask before they go on. Each request is answered once."
    >
      {open.error ? <LoadError error={open.error} onRetry={() => void open.refetch()} /> : null}
      {!open.error && !waiting && <SkeletonBlock />}
      {waiting && waiting.total === 0 && (
        <Panel>
          <EmptyState icon={CheckCheck} title="Nothing waits for an answer">
            A step “Ask for approval” of a flow puts its request here and behind the bell.
          </EmptyState>
        </Panel>
      )}
      {[...byFlow(waiting?.items ?? [])].map(([flowId, approvals]) => (
        <FlowRequests key={flowId} approvals={approvals} />
      ))}
      {answered.length > 0 && (
        <Panel title="Answered" isFlush>
          <ApprovalList label="Answered" approvals={answered} />
        </Panel>
      )}
    </Page>
  )
}

function byFlow(approvals: readonly FlowApprovalRow[]): ReadonlyMap<string, readonly FlowApprovalRow[]> {
  return Map.groupBy(approvals, ({ flowId }) => flowId)
}

/** The requests of one flow, which can be answered together. */
function FlowRequests({ approvals }: { readonly approvals: readonly FlowApprovalRow[] }) {
  const may = usePermission()
  const [answer, setAnswer] = useState<Answer>()
  const name = approvals[0]?.flowName ?? ''
  const all = may('approvals:write') && approvals.length > 1 && (
    <>
      <Button size="xs" variant="default" onClick={() => setAnswer('approve')}>
        Approve all {approvals.length}…
      </Button>{' '}
      <Button size="xs" variant="default" onClick={() => setAnswer('refuse')}>
        Refuse all…
      </Button>
    </>
  )
  return (
    <Panel title={name} aside={all || many(approvals.length, 'request')} isFlush>
      <ApprovalList label={`Requests of ${name}`} approvals={approvals} />
      {answer && (
        <DecideApprovalsDialog approvals={approvals} answer={answer} onClose={() => setAnswer(undefined)} />
      )}
    </Panel>
  )
}
