import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { userAccessTopic } from '../sessions/access-revoked-topics.ts'
import * as store from './member-store.ts'
import { removeLayout } from './overview-layout-store.ts'
import { grantableRole, permissionsOf, refuseEscalation } from '../roles/roles.ts'
import type { Member, StoredMember } from './member.ts'

/** By address. */
export async function listUsers(ctx: Ctx): Promise<Member[]> {
  permit(ctx, 'users:read')
  return (await store.all(ctx)).map(toMember)
}

/** Takes effect with the person's next request. */
export async function setUserRole(ctx: Ctx, userId: string, roleId: string): Promise<Member> {
  permit(ctx, 'users:write')
  return atomically(ctx, async (inner) => {
    const before = await changeable(inner, userId)
    const role = await grantableRole(inner, 'roleId', roleId)
    if (before.roleId === role.id) return toMember(before)
    await store.setRole(inner, userId, role.id)
    inner.db.afterCommit(userAccessTopic(userId))
    await record(inner, 'user.role_changed', subject(before), {
      email: before.email,
      before: { role: before.roleName },
      after: { role: role.name },
    })
    return toMember({ ...before, roleId: role.id, roleName: role.name })
  })
}

/** The account remains; it loses access to this tenant from the next request on. */
export async function removeUser(ctx: Ctx, userId: string): Promise<void> {
  permit(ctx, 'users:write')
  await atomically(ctx, async (inner) => {
    const member = await changeable(inner, userId)
    await store.remove(inner, userId)
    await removeLayout(inner, userId)
    inner.db.afterCommit(userAccessTopic(userId))
    await record(inner, 'user.removed', subject(member), {
      email: member.email,
      before: { role: member.roleName },
    })
  })
}

/** A member with more permissions than the actor cannot be changed, and the last administrator cannot be removed. */
async function changeable(ctx: Ctx, userId: string): Promise<StoredMember> {
  const admins = await store.admins(ctx)
  const member = isUuid(userId) ? await store.one(ctx, userId) : undefined
  if (!member) throw notFound('user')
  refuseEscalation(ctx, permissionsOf(member))
  if (admins.length === 1 && admins.includes(userId))
    throw conflict('the last administrator stays; make another one first')
  return member
}

const toMember = ({
  id,
  email,
  name,
  isManaged,
  hasSecondFactor,
  joinedAt,
  lastSignedInAt,
  ...it
}: StoredMember): Member => ({
  id,
  email,
  name,
  role: { id: it.roleId, name: it.roleName },
  isManaged,
  hasSecondFactor,
  joinedAt,
  lastSignedInAt,
})

const subject = ({ id }: StoredMember) => ({ type: 'user', id })

export interface MemberPermissions {
  readonly email: string
  readonly permissions: readonly string[]
  /** A condition on assets: the role sees only those for which it is true. Null: all. */
  readonly limitedTo: string | null
}

/** Of somebody for whom the product acts, such as an automation; undefined when they are no member. */
export async function memberPermissions(ctx: Ctx, userId: string): Promise<MemberPermissions | undefined> {
  const member = await store.permissions(ctx, userId)
  return member && { email: member.email, permissions: permissionsOf(member), limitedTo: member.limitedTo }
}
