import { send } from '#api/client.ts'
import { messageOf } from '#api/errors.ts'
import { InviteUserDocument, RolesDocument } from '#api/generated/users-and-roles.ts'
import type { Tenant } from '#api/session.ts'

/** The roles that every organisation has. */
export const ROLES = ['Viewer', 'Operator', 'Admin'] as const

export interface Invited {
  readonly tenant: Tenant
  /** Of the invitation; works once. */
  readonly link?: string
  /** Why there is none. */
  readonly problem?: string
}

/** Invites a person to one organisation after the other; each answers for itself, as far as one's role there allows. */
export async function inviteToSeveral(
  tenants: readonly Tenant[],
  { email, role }: { readonly email: string; readonly role: string },
): Promise<readonly Invited[]> {
  const invited: Invited[] = []
  for (const tenant of tenants)
    invited.push(
      await inviteTo(tenant, email, role).then(
        (link) => ({ tenant, link }),
        (error: unknown) => ({ tenant, problem: messageOf(error) }),
      ),
    )
  return invited
}

async function inviteTo({ slug }: Tenant, email: string, role: string): Promise<string> {
  const { roles } = await send(RolesDocument, {}, undefined, slug)
  const roleId = roles.find(({ isBuiltIn, name }) => isBuiltIn && name === role)?.id
  if (roleId === undefined) throw new Error(`It has no role ${role}`)
  const { inviteUser } = await send(InviteUserDocument, { email, roleId }, undefined, slug)
  return `${location.origin}/invitation#${inviteUser.token}`
}
