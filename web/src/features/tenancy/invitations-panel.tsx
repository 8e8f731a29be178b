import { Ban } from 'lucide-react'
import { RevokeInvitationDocument, type InvitationRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Badge } from '#ui/badge.tsx'
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
  const revoke = useChange(RevokeInvitationDocument, { done: 'Invitation withdrawn' })
  if (rows.length === 0) return null
  const actions: Column<InvitationRow> = {
    title: '',
    align: 'right',
    cell: ({ id, email }) =>
      may('users:write') && (
        <RowMenu
          label={`Actions for ${email}`}
          actions={[
            { title: 'Withdraw', icon: Ban, isDestructive: true, onChoose: () => revoke.mutate({ id }) },
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
    </Panel>
  )
}
