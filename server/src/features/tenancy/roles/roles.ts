import { record } from '#features/audit/audit.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { checkedLimit } from '#platform/conditions/limit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { tenantAccessTopic } from '../sessions/access-revoked-topics.ts'
import { allPermissions, firstMissing, builtInPermissions } from './permissions.ts'
import * as store from './role-store.ts'
import type { Role, StoredRole, NewRole } from './role.ts'

const NAME_LENGTH_MAX = 100

/** Built-in ones first. */
export async function listRoles(ctx: Ctx): Promise<Role[]> {
  permit(ctx, 'users:read')
  return (await store.roles(ctx)).map(toRole)
}

export async function createRole(ctx: Ctx, input: NewRole): Promise<Role> {
  permit(ctx, 'users:write')
  const role = await checked(ctx, input)
  return atomically(ctx, async (inner) => {
    const stored = await store.add(inner, role)
    if (!stored) throw conflict(`name: there is a role ${role.name} already`)
    await record(inner, 'role.created', subject(stored), describe(stored))
    return toRole(stored)
  })
}

/** Takes effect with the next request of everyone who has the role. */
export async function updateRole(ctx: Ctx, id: string, changes: Partial<NewRole>): Promise<Role> {
  permit(ctx, 'users:write')
  return atomically(ctx, async (inner) => {
    const before = await ownRole(inner, id)
    const role = await checked(inner, { ...before, ...changes })
    if (await store.isNameTaken(inner, role.name, id))
      throw conflict(`name: there is a role ${role.name} already`)
    const after = await store.update(inner, id, role)
    inner.db.afterCommit(tenantAccessTopic(inner.tenantId))
    await record(inner, 'role.updated', subject(after), { before: describe(before), after: describe(after) })
    return toRole(after)
  })
}

/** Refused while a member has the role. Deletes open invitations to it. */
export async function deleteRole(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'users:write')
  await atomically(ctx, async (inner) => {
    const role = await ownRole(inner, id)
    if (role.members > 0)
      throw conflict(`${role.members} people have the role ${role.name}; give them another first`)
    if (await store.isSingleSignOnRole(inner, id))
      throw conflict(`single sign-on gives the role ${role.name} to newcomers; choose another there first`)
    await store.remove(inner, id)
    await record(inner, 'role.deleted', subject(role), { before: describe(role) })
  })
}

/**
 * A role that the actor may assign: it contains no permission that the actor lacks. Refuses others with the field's
 * name.
 */
export async function grantableRole(ctx: Ctx, field: string, id: string): Promise<Role> {
  const stored = isUuid(id) ? await store.role(ctx, id) : undefined
  if (!stored) throw invalid(field, 'is no role of this organisation')
  const role = toRole(stored)
  refuseEscalation(ctx, role.permissions)
  return role
}

export function refuseEscalation(ctx: Ctx, permissions: readonly string[]): void {
  const missing = firstMissing(ctx.actor.may, permissions)
  if (missing !== undefined)
    throw forbidden(`permission required: ${missing}; nobody gives or takes what they do not have`)
}

/** The effective permissions: those of a built-in role come from the code. */
export const permissionsOf = (role: Pick<StoredRole, 'builtIn' | 'permissions'>): readonly string[] =>
  role.builtIn ? builtInPermissions[role.builtIn] : role.permissions

async function ownRole(ctx: Ctx, id: string): Promise<StoredRole> {
  const role = isUuid(id) ? await store.role(ctx, id) : undefined
  if (!role) throw notFound('role')
  if (role.builtIn) throw conflict(`the role ${role.name} is built in and stays as it is`)
  refuseEscalation(ctx, role.permissions)
  return role
}

async function checked(ctx: Ctx, input: NewRole): Promise<store.WrittenRole> {
  const name = checkedName('name', input.name, NAME_LENGTH_MAX)
  const unknown = input.permissions.find((it) => !allPermissions.includes(it))
  if (unknown !== undefined)
    throw invalid('permissions', `${unknown} is none of ${allPermissions.join(', ')}`)
  const permissions = allPermissions.filter((it) => input.permissions.includes(it))
  if (permissions.length === 0) throw invalid('permissions', 'at least one')
  refuseEscalation(ctx, permissions)
  return { name, permissions, where: await checkedLimit(ctx, 'asset', input.where) }
}

const toRole = (stored: StoredRole): Role => ({
  id: stored.id,
  name: stored.name,
  isBuiltIn: stored.builtIn !== null,
  permissions: permissionsOf(stored),
  where: stored.where,
  members: stored.members,
})

const subject = ({ id }: StoredRole) => ({ type: 'role', id })
const describe = ({ name, permissions, where }: StoredRole) => ({
  name,
  permissions,
  ...(where !== null && { where }),
})
