import { Link } from '@tanstack/react-router'
import { Ban, Check, KeyRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  ApproveAgentDocument,
  RekeyAgentDocument,
  RevokeAgentDocument,
  type AgentRow,
} from '#api/generated/agents.ts'
import { send } from '#api/client.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { RowByRowBar, type RowVerb } from '#features/bulk-changes/row-by-row-bar.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { useSelection } from '#ui/table/use-selection.ts'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { AgentStateBadge } from './agent-state-badge.tsx'

interface AgentTableProps {
  readonly rows: readonly AgentRow[] | undefined
  /** Of all pages. */
  readonly total?: number | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly empty: ReactNode
}

export function AgentTable(props: AgentTableProps) {
  const may = usePermission()
  const [revoking, setRevoking] = useState<AgentRow>()
  const approve = useChange(ApproveAgentDocument, { done: 'Approved: its next report is taken' })
  const rekey = useChange(RekeyAgentDocument, { done: 'The agent makes a new key with its next report' })
  const selection = useSelection({ key: props.rows?.map(({ id }) => id).join(), total: props.total ?? 0 })
  const rows = (props.rows ?? []).filter(({ id }) => selection.has(id))
  const actions: Column<AgentRow> = {
    title: '',
    align: 'right',
    cell: (agent) =>
      may('agents:write') &&
      isOurs(agent) && (
        <RowMenu
          label={`Actions for ${nameOf(agent)}`}
          actions={[
            ...(agent.state === 'pending'
              ? [{ title: 'Approve', icon: Check, onChoose: () => approve.mutate({ id: agent.id }) }]
              : []),
            { title: 'New key', icon: KeyRound, onChoose: () => rekey.mutate({ id: agent.id }) },
            { title: 'Revoke…', icon: Ban, isDestructive: true, onChoose: () => setRevoking(agent) },
          ]}
        />
      ),
  }
  return (
    <>
      <DataTable
        label="Agents"
        columns={[...columns, actions]}
        keyOf={({ id }) => id}
        selecting={may('agents:write') ? { selection, nameOf, isOffered: isOurs } : undefined}
        {...props}
      />
      <RowByRowBar noun="agent" selection={selection} rows={rows} verbs={verbs} />
      <RevokeAgentDialog agent={revoking} onClose={() => setRevoking(undefined)} />
    </>
  )
}

const kinds: Readonly<Record<AgentRow['kind'], string>> = {
  agent: 'Rollcall agent',
  glpi: 'GLPI agent',
  fusioninventory: 'FusionInventory agent',
  ocs: 'OCS agent',
  osquery: 'osquery',
}

/** Programs of others are told nothing by us. */
const isOurs = ({ kind, state }: AgentRow): boolean => kind === 'agent' && state !== 'revoked'

const REVOKED =
  'Their reports are refused from now on, on every node. The assets stay. To take one back, run rollcall-agent forget on the host and enrol it anew.'

const verbs: readonly RowVerb<AgentRow>[] = [
  {
    title: 'Approve',
    icon: Check,
    fits: ({ state }) => state === 'pending',
    act: ({ id }) => send(ApproveAgentDocument, { id }),
  },
  { title: 'New key', icon: KeyRound, act: ({ id }) => send(RekeyAgentDocument, { id }) },
  { title: 'Revoke', icon: Ban, act: ({ id }) => send(RevokeAgentDocument, { id }), warning: REVOKED },
]

const nameOf = ({ name, deviceId }: AgentRow): string => name || deviceId

const columns: readonly Column<AgentRow>[] = [
  {
    title: 'Host',
    sortBy: nameOf,
    cell: (agent) => (
      <TwoLines below={agent.address}>
        {agent.assetId === null ? (
          nameOf(agent)
        ) : (
          <Link to="/assets/$assetId" params={{ assetId: agent.assetId }}>
            {nameOf(agent)}
          </Link>
        )}
      </TwoLines>
    ),
  },
  {
    title: 'State',
    cell: (agent) => (
      <TwoLines below={agent.why}>
        <AgentStateBadge state={agent.state} />
      </TwoLines>
    ),
  },
  {
    title: 'Last report',
    sortBy: ({ lastReportAt }) => lastReportAt,
    cell: ({ lastReportAt }) => <Time at={lastReportAt} />,
  },
  {
    title: 'Agent',
    sortBy: ({ kind, version }) => `${kind} ${version}`,
    isMinor: true,
    cell: ({ kind, version }) => <TwoLines below={version}>{kinds[kind]}</TwoLines>,
  },
  { title: 'Token', sortBy: ({ tokenName }) => tokenName, isMinor: true, cell: ({ tokenName }) => tokenName },
]

interface RevokeAgentDialogProps {
  readonly agent: AgentRow | undefined
  readonly onClose: () => void
}

function RevokeAgentDialog({ agent, onClose }: RevokeAgentDialogProps) {
  const revoke = useChange(RevokeAgentDocument, { done: 'Agent revoked', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={agent !== undefined}
      title={`Revoke the agent of ${agent ? nameOf(agent) : ''}?`}
      action="Revoke agent"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => agent && revoke.mutate({ id: agent.id })}
      onClose={onClose}
    >
      <p>
        Its reports are refused from now on, on every node. The asset stays. To take it back, run{' '}
        <code>rollcall-agent forget</code> on the host and enrol it anew.
      </p>
    </ConfirmDialog>
  )
}
