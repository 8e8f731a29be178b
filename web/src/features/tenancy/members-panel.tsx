import { useRouteContext } from '@tanstack/react-router'
import { UserMinus, UserPen, Users } from 'lucide-react'
import { useState } from 'react'
import { RemoveUserDocument, type MemberRow, type RoleRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { Badge } from '#ui/badge.tsx'
import { Several, TwoLines } from '#ui/table/cell.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Panel } from '#ui/panel.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { Time } from '#ui/time.tsx'
import { MemberRoleForm } from './member-role-form.tsx'

interface MembersPanelProps {
  readonly rows: readonly MemberRow[] | undefined
  readonly roles: readonly RoleRow[]
  readonly error: unknown
  readonly onRetry: () => void
}

export function MembersPanel({ rows, roles, error, onRetry }: MembersPanelProps) {
  const [changing, setChanging] = useState<MemberRow>()
  const [removing, setRemoving] = useState<MemberRow>()
  return (
    <Panel title="Members" isFlush>
      <DataTable
        label="Members"
        columns={[memberName(useMyId()), ...columns, useActions(setChanging, setRemoving)]}
        rows={rows}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={
          <EmptyState icon={Users} title="Nobody yet">
            Invite the people who look after these machines.
          </EmptyState>
        }
      />
      {changing && <MemberRoleForm member={changing} roles={roles} onClose={() => setChanging(undefined)} />}
      <RemoveDialog member={removing} onClose={() => setRemoving(undefined)} />
    </Panel>
  )
}

const useMyId = (): string => useRouteContext({ from: '/app' }).session.user.id

const memberName = (myId: string): Column<MemberRow> => ({
  title: 'Person',
  cell: ({ id, name, email }) => (
    <TwoLines below={name === '' ? '' : email}>
      {name || email} {id === myId && <Badge tone="accent">You</Badge>}
    </TwoLines>
  ),
})

const columns: readonly Column<MemberRow>[] = [
  { title: 'Role', sortBy: ({ role }) => role.name, cell: ({ role }) => role.name },
  {
    title: 'Sign-in',
    isMinor: true,
    cell: ({ isManaged, hasSecondFactor }) => (
      <Several>
        {isManaged ? <Badge tone="info">Single sign-on</Badge> : <Badge>Password</Badge>}
        {hasSecondFactor && (
          <Badge tone="good" sign="✓">
            Second factor
          </Badge>
        )}
      </Several>
    ),
  },
  {
    title: 'Last signed in',
    sortBy: ({ lastSignedInAt }) => lastSignedInAt,
    isMinor: true,
    cell: ({ lastSignedInAt }) => <Time at={lastSignedInAt} />,
  },
  {
    title: 'Joined',
    sortBy: ({ joinedAt }) => joinedAt,
    isMinor: true,
    cell: ({ joinedAt }) => <Time at={joinedAt} />,
  },
]

function useActions(
  onChange: (member: MemberRow) => void,
  onRemove: (member: MemberRow) => void,
): Column<MemberRow> {
  const may = usePermission()
  return {
    title: '',
    align: 'right',
    cell: (member) =>
      may('users:write') && (
        <RowMenu
          label={`Actions for ${member.email}`}
          actions={[
            { title: 'Change role…', icon: UserPen, onChoose: () => onChange(member) },
            { title: 'Remove…', icon: UserMinus, isDestructive: true, onChoose: () => onRemove(member) },
          ]}
        />
      ),
  }
}

interface RemoveDialogProps {
  readonly member: MemberRow | undefined
  readonly onClose: () => void
}

function RemoveDialog({ member, onClose }: RemoveDialogProps) {
  const remove = useChange(RemoveUserDocument, { done: 'Member removed', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={member !== undefined}
      title={`Remove ${member?.email ?? ''}?`}
      action="Remove member"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => member && remove.mutate({ userId: member.id })}
      onClose={onClose}
    >
      <p>
        They see nothing of this organisation from their next request on. Their account stays, and an
        invitation brings them back.
      </p>
    </ConfirmDialog>
  )
}
