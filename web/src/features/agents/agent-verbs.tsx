import { Ban, Check, KeyRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import {
  ApproveAgentDocument,
  RekeyAgentDocument,
  RevokeAgentDocument,
  type AgentRow,
} from '#api/generated/agents.ts'
import { send } from '#api/client.ts'
import { useChange } from '#api/query-client.ts'
import type { RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import type { ListColumn } from '#features/lists/list-column.ts'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { agentName, isOurs } from './agent-names.ts'

const REVOKED =
  'Their reports are refused from now on, on every node. The assets stay. To take one back, run rollcall-agent forget on the host and enrol it anew.'

/** What can be done with several agents of ours. */
export const agentVerbs: readonly RowVerb<AgentRow>[] = [
  {
    title: 'Approve',
    icon: Check,
    fits: ({ state }) => state === 'pending',
    act: ({ id }) => send(ApproveAgentDocument, { id }),
  },
  { title: 'New key', icon: KeyRound, fits: isOurs, act: ({ id }) => send(RekeyAgentDocument, { id }) },
  {
    title: 'Revoke',
    icon: Ban,
    fits: isOurs,
    act: ({ id }) => send(RevokeAgentDocument, { id }),
    warning: REVOKED,
  },
]

/** The column with what can be done with one agent, and the dialog that it may open. */
export function useAgentActions() {
  const [revoking, setRevoking] = useState<AgentRow>()
  const column = useMemo(
    (): ListColumn<AgentRow> => ({
      key: 'actions',
      title: 'Actions',
      width: 4,
      cell: (agent) => isOurs(agent) && <AgentMenu agent={agent} onRevoke={() => setRevoking(agent)} />,
    }),
    [],
  )
  const dialog = revoking && <RevokeAgentDialog agent={revoking} onClose={() => setRevoking(undefined)} />
  return { column, dialog }
}

interface AgentMenuProps {
  readonly agent: AgentRow
  readonly onRevoke: () => void
}

function AgentMenu({ agent, onRevoke }: AgentMenuProps) {
  const approve = useChange(ApproveAgentDocument, { done: 'Approved: its next report is taken' })
  const rekey = useChange(RekeyAgentDocument, { done: 'The agent makes a new key with its next report' })
  return (
    <RowMenu
      label={`Actions for ${agentName(agent)}`}
      actions={[
        ...(agent.state === 'pending'
          ? [{ title: 'Approve', icon: Check, onChoose: () => approve.mutate({ id: agent.id }) }]
          : []),
        { title: 'New key', icon: KeyRound, onChoose: () => rekey.mutate({ id: agent.id }) },
        { title: 'Revoke…', icon: Ban, isDestructive: true, onChoose: onRevoke },
      ]}
    />
  )
}

interface RevokeAgentDialogProps {
  readonly agent: AgentRow
  readonly onClose: () => void
}

function RevokeAgentDialog({ agent, onClose }: RevokeAgentDialogProps) {
  const revoke = useChange(RevokeAgentDocument, { done: 'Agent revoked', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen
      title={`Revoke the agent of ${agentName(agent)}?`}
      action="Revoke agent"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => revoke.mutate({ id: agent.id })}
      onClose={onClose}
    >
      <p>
        Its reports are refused from now on, on every node. The asset stays. To take it back, run{' '}
        <code>rollcall-agent forget</code> on the host and enrol it anew.
      </p>
    </ConfirmDialog>
  )
}
