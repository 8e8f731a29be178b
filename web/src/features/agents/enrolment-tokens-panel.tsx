import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, KeyRound } from 'lucide-react'
import { useState } from 'react'
import {
  EnrolmentTokensDocument,
  RevokeEnrolmentTokenDocument,
  type EnrolmentTokenRow,
} from '#api/generated/agents.ts'
import { q, useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { TwoLines } from '#ui/table/cell.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Day, Time } from '#ui/time.tsx'

/** With which hosts enrol, and agents of others report. */
export function EnrolmentTokensPanel() {
  const { data, error, refetch } = useQuery(q(EnrolmentTokensDocument, {}))
  const may = usePermission()
  const [revoking, setRevoking] = useState<EnrolmentTokenRow>()
  const actions: Column<EnrolmentTokenRow> = {
    title: '',
    align: 'right',
    cell: (token) =>
      may('agents:write') &&
      token.revokedAt === null && (
        <RowMenu
          label={`Actions for ${token.name}`}
          actions={[{ title: 'Revoke…', icon: Ban, isDestructive: true, onChoose: () => setRevoking(token) }]}
        />
      ),
  }
  return (
    <Panel isFlush>
      <DataTable
        label="Enrolment tokens"
        columns={[...columns, actions]}
        rows={data?.enrolmentTokens}
        keyOf={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No token yet"
            action={<Button renderRoot={(props) => <Link to="/agents" {...props} />}>Open agents</Button>}
          >
            A token is made when agents are added.
          </EmptyState>
        }
      />
      <RevokeTokenDialog token={revoking} onClose={() => setRevoking(undefined)} />
    </Panel>
  )
}

const columns: readonly Column<EnrolmentTokenRow>[] = [
  {
    title: 'Name',
    cell: ({ name, prefix }) => <TwoLines below={<code>{prefix}…</code>}>{name}</TwoLines>,
  },
  { title: 'State', cell: (token) => <TokenState {...token} /> },
  { title: 'Hosts', isMinor: true, cell: (token) => <Hosts {...token} /> },
  { title: 'Expires', isMinor: true, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { title: 'Taken from', isMinor: true, cell: ({ networks }) => networks.join(', ') || 'anywhere' },
]

/** Of our own agent; those of others are not counted. */
function Hosts({ kind, uses, usesMax, needsApproval }: EnrolmentTokenRow) {
  if (kind === 'dropin') return 'agents of others'
  const hosts = usesMax === null ? count(uses) : `${count(uses)} of ${count(usesMax)}`
  return <TwoLines below={needsApproval && 'each is approved'}>{hosts}</TwoLines>
}

function TokenState({ revokedAt, isExpired, kind, uses, usesMax }: EnrolmentTokenRow) {
  if (revokedAt !== null) return <Badge sign="×">Revoked</Badge>
  if (isExpired) return <Badge sign="○">Expired</Badge>
  if (kind === 'agent' && usesMax !== null && uses >= usesMax) return <Badge sign="○">Used up</Badge>
  return (
    <Badge tone="good" sign="●">
      Valid
    </Badge>
  )
}

interface RevokeTokenDialogProps {
  readonly token: EnrolmentTokenRow | undefined
  readonly onClose: () => void
}

function RevokeTokenDialog({ token, onClose }: RevokeTokenDialogProps) {
  const revoke = useChange(RevokeEnrolmentTokenDocument, { done: 'Token revoked', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={token !== undefined}
      title={`Revoke ${token?.name ?? ''}?`}
      action="Revoke token"
      isDestructive
      isBusy={revoke.isPending}
      onConfirm={() => token && revoke.mutate({ id: token.id })}
      onClose={onClose}
    >
      <p>
        No host enrols with it any more, and agents of GLPI, FusionInventory, OCS and osquery that report with
        it are refused. Rollcall agents that are enrolled already go on with keys of their own.
      </p>
    </ConfirmDialog>
  )
}
