import { Ban } from 'lucide-react'
import { useState } from 'react'
import { RevokeInvitationDocument, type InvitationRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'

const columns: readonly Column<InvitationRow>[] = [
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', isMinor: true, cell: ({ role }) => role.name },
  { title: 'Invited by', isMinor: true, cell: ({ invitedBy }) => invitedBy ?? 'the command line' },
  {
    title: 'Ends',
    cell: ({ isExpired, expiresAt }) =>
      isExpired ? <Badge sign="○">Too old</Badge> : <Time at={expiresAt} />,
  },
]

/** Open invitations; renders nothing if there are none. */
export function InvitationsPanel({ rows }: { readonly rows: readonly InvitationRow[] }) {
  const may = usePermission()
  const [withdrawing, setWithdrawing] = useState<InvitationRow>()
  const close = () => setWithdrawing(undefined)
  const revoke = useChange(RevokeInvitationDocument, { done: 'Invitation withdrawn', onDone: close })
  if (rows.length === 0) return null
  const actions: Column<InvitationRow> = {
    title: '',
    align: 'right',
    cell: (invitation) =>
      may('users:write') && (
        <RowMenu
          label={`Actions for ${invitation.email}`}
          actions={[
            {
              title: 'Withdraw…',
              icon: Ban,
              isDestructive: true,
              onChoose: () => setWithdrawing(invitation),
            },
          ]}
        />
      ),
  }
  return (
    <Panel title="Open invitations" isFlush>
      <DataTable
        label="Open invitations"
        columns={[...columns, actions]}
        rows={rows}
        keyOf={({ id }) => id}
        empty={null}
      />
      {withdrawing && (
        <ConfirmDialog
          isOpen
          isDestructive
          title={`Withdraw the invitation of ${withdrawing.email}?`}
          action="Withdraw invitation"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate({ id: withdrawing.id })}
          onClose={close}
        >
          <p>Its link works no longer. A new invitation has a new link.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
