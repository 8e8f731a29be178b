import { Button } from '@mantine/core'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DeleteRoleDocument, type RoleRow } from '#api/generated/users-and-roles.ts'
import { useChange } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { count } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx'
import { DataTable, type Column } from '#ui/table/data-table.tsx'
import { Panel } from '#ui/panel.tsx'
import { RowMenu } from '#ui/table/row-menu.tsx'
import { accessTo, nounsOf, type Access } from './permission-labels.ts'
import { RoleForm } from './role-form.tsx'

interface RolesPanelProps {
  readonly rows: readonly RoleRow[] | undefined
  readonly permissions: readonly string[]
  readonly error: unknown
  readonly onRetry: () => void
}

export function RolesPanel({ rows, permissions, error, onRetry }: RolesPanelProps) {
  const may = usePermission()
  const [editing, setEditing] = useState<RoleRow | 'new'>()
  const [deleting, setDeleting] = useState<RoleRow>()
  const actions: Column<RoleRow> = {
    title: '',
    align: 'right',
    cell: (role) =>
      may('users:write') &&
      !role.isBuiltIn && (
        <RowMenu
          label={`Actions for ${role.name}`}
          actions={[
            { title: 'Change…', icon: Pencil, onChoose: () => setEditing(role) },
            { title: 'Delete…', icon: Trash2, isDestructive: true, onChoose: () => setDeleting(role) },
          ]}
        />
      ),
  }
  return (
    <Panel title="Roles" aside={may('users:write') && <NewRole onClick={() => setEditing('new')} />} isFlush>
      <DataTable
        label="Roles"
        columns={[...columnsFor(permissions), actions]}
        rows={rows}
        keyOf={({ id }) => id}
        error={error}
        onRetry={onRetry}
        empty={null}
      />
      {editing && (
        <RoleForm
          role={editing === 'new' ? undefined : editing}
          permissions={permissions}
          onClose={() => setEditing(undefined)}
        />
      )}
      <DeleteDialog role={deleting} onClose={() => setDeleting(undefined)} />
    </Panel>
  )
}

const NewRole = ({ onClick }: { readonly onClick: () => void }) => (
  <Button variant="default" leftSection={<Plus size={13} aria-hidden />} onClick={onClick}>
    New role
  </Button>
)

const columnsFor = (permissions: readonly string[]): readonly Column<RoleRow>[] => [
  { title: 'Role', cell: ({ name }) => <strong>{name}</strong> },
  { title: 'Members', align: 'right', isMinor: true, cell: ({ members }) => count(members) },
  {
    title: 'May',
    cell: ({ permissions: held }) => (
      <>
        <Nouns title="Change" permissions={permissions} held={held} access="write" />
        <Nouns title="See" permissions={permissions} held={held} access="read" />
      </>
    ),
  },
  { title: 'Kind', isMinor: true, cell: ({ isBuiltIn }) => (isBuiltIn ? <Badge>Built in</Badge> : 'Own') },
]

interface NounsProps {
  readonly title: string
  readonly permissions: readonly string[]
  readonly held: readonly string[]
  readonly access: Access
}

/** What may be done with these alone. */
function Nouns({ title, permissions, held, access }: NounsProps) {
  const nouns = nounsOf(permissions).filter(({ noun }) => accessTo(noun, held) === access)
  if (nouns.length === 0) return null
  return (
    <p>
      <strong>{title}</strong> <span className="quiet">{nouns.map(({ words }) => words).join(', ')}</span>
    </p>
  )
}

interface DeleteDialogProps {
  readonly role: RoleRow | undefined
  readonly onClose: () => void
}

function DeleteDialog({ role, onClose }: DeleteDialogProps) {
  const remove = useChange(DeleteRoleDocument, { done: 'Role deleted', onDone: onClose })
  return (
    <ConfirmDialog
      isOpen={role !== undefined}
      title={`Delete the role ${role?.name ?? ''}?`}
      action="Delete role"
      isDestructive
      isBusy={remove.isPending}
      onConfirm={() => role && remove.mutate({ id: role.id })}
      onClose={onClose}
    >
      <p>Nobody may have it when it goes; open invitations to it end.</p>
    </ConfirmDialog>
  )
}
