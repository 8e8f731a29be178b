import { Button } from '@mantine/core'
import { Building2 } from 'lucide-react'
import type { Session, Tenant } from '#api/session.ts'
import { signOut } from '#api/session.ts'
import { inTenant } from '#api/tenant-url.ts'
import { leave } from '#features/shell/account-menu.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Page } from '#ui/page.tsx'

/** Thrown by the root route when the URL names an organisation that the person is not a member of. */
export class NotAMemberError extends Error {
  readonly session: Session

  constructor(session: Session) {
    super('not a member')
    this.name = 'NotAMemberError'
    this.session = session
  }
}

/** Error screen with links to the person's organisations. */
export function NotAMember({ session }: { readonly session: Session }) {
  const { tenants, user } = session
  return (
    <main id="content">
      <Page title="Not a member">
        <EmptyState
          icon={Building2}
          title={
            tenants.length === 0
              ? 'You belong to no organisation'
              : 'You do not belong to the organisation at this address'
          }
          action={<TenantLinks tenants={tenants} />}
        >
          Its name may be mistyped, or your membership has ended. You are signed in as {user.email}; ask an
          administrator of the organisation for an invitation.
        </EmptyState>
      </Page>
    </main>
  )
}

function TenantLinks({ tenants }: { readonly tenants: readonly Tenant[] }) {
  return (
    <>
      {tenants.map(({ id, slug, name }) => (
        <Button key={id} component="a" href={inTenant('/', slug)}>
          Go to {name}
        </Button>
      ))}
      <Button variant="default" onClick={() => void leave(signOut)}>
        Sign out
      </Button>
    </>
  )
}
