import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { UsersAndRolesDocument, RolesDocument, type InviteUserData } from '#api/generated/users-and-roles.ts'
import { q } from '#api/query-client.ts'
import { usePermission } from '#api/use-permission.ts'
import { useFormOnArrival } from '#features/shell/palette/form-on-arrival.ts'
import { count } from '#lib/numbers.ts'
import { AfterLoading } from '#ui/after-loading.tsx'
import { Badge } from '#ui/badge.tsx'
import { Page } from '#ui/page.tsx'
import { OneTimeSecretDialog } from '#ui/dialog/one-time-secret-dialog.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteForm } from './invite-form.tsx'
import { MembersPanel } from './members-panel.tsx'
import { RolesPanel } from './roles-panel.tsx'

export function UsersAndRolesPage() {
  const may = usePermission()
  const members = useQuery(q(UsersAndRolesDocument, {}))
  const roles = useQuery(q(RolesDocument, {}))
  const [isInviting, setInviting] = useState(false)
  useFormOnArrival(() => setInviting(true))
  const [invited, setInvited] = useState<InviteUserData['inviteUser']>()
  const known = roles.data?.roles ?? []
  return (
    <Page
      title="Users and roles"
      aside={members.data && <Badge>{count(members.data.users.length)}</Badge>}
      description="Who works in this organisation, and how far each may go. Nobody gives what they do not have."
      actions={
        <Button
          leftSection={<UserPlus size={14} aria-hidden />}
          disabled={!may('users:write') || known.length === 0}
          onClick={() => setInviting(true)}
        >
          Invite
        </Button>
      }
    >
      <MembersPanel
        rows={members.data?.users}
        roles={known}
        error={members.error}
        onRetry={() => void members.refetch()}
      />
      <AfterLoading>
        <InvitationsPanel rows={members.data?.invitations ?? []} />
        <RolesPanel
          rows={roles.data?.roles}
          permissions={roles.data?.permissions ?? []}
          error={roles.error}
          onRetry={() => void roles.refetch()}
        />
      </AfterLoading>
      {isInviting && <InviteForm roles={known} onInvited={setInvited} onClose={() => setInviting(false)} />}
      <OneTimeSecretDialog
        title={`Invitation for ${invited?.email ?? ''}`}
        secret={invited && `${location.origin}/invitation#${invited.token}`}
        onClose={() => setInvited(undefined)}
      >
        Pass this link on, in a way that only they can read. It works once, for seven days.
      </OneTimeSecretDialog>
    </Page>
  )
}
