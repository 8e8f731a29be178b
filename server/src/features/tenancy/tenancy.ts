/** Tenancy: the organisations that share an installation, isolated from each other, and their users. */
import { record } from '#features/audit/audit.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import * as accounts from './accounts/account-store.ts'
import { parseEmail } from './accounts/email-address.ts'
import { hashPassword } from './accounts/password-hash.ts'
import { checkPasswordPolicy } from './accounts/password-policy.ts'
import * as memberStore from './members/member-store.ts'
import * as roles from './roles/role-store.ts'
import * as store from './tenant-store.ts'
import type { Tenant } from './tenant.ts'

export { listUsers, memberPermissions } from './members/members.ts'
export { grants } from './roles/permissions.ts'
export { createTenant } from './tenants/create-tenant.ts'
export { carryMembers, carryTenant, closeMoved, MEMBER_TABLES } from './tenants/moved-tenant-store.ts'
export { closeOwnDemo, getDemo, openOwnDemo } from './tenants/own-tenants.ts'
export { hasDemoData, setDemoData, setDemoFilled } from './tenants/own-tenant-store.ts'
export { signedIn } from './sessions/sessions.ts'
export type { SignedIn } from './sessions/session.ts'

export interface User {
  readonly id: string
  readonly email: string
  /** Has all permissions in the tenant. */
  readonly isAdmin: boolean
}

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly isAdmin: boolean
  /** May make organisations of their own; not unless given. */
  readonly mayCreateTenants?: boolean
}

const NAME_LENGTH_MAX = 200

/** Changes the display name; the slug stays. */
export async function renameTenant(ctx: Ctx, wanted: string): Promise<Tenant> {
  permit(ctx, 'settings:write')
  const name = checkedName('name', wanted, NAME_LENGTH_MAX)
  return atomically(ctx, async (inner) => {
    const before = await store.lockTenant(inner)
    if (before.name === name) return before
    const after = await store.setName(inner, name)
    const subject = { type: 'tenant', id: after.id }
    await record(inner, 'tenant.renamed', subject, { before: { name: before.name }, after: { name } })
    return after
  })
}

/** Display names by user id: the name, else the e-mail address. Unknown ids are absent. */
export async function userNames(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const known = ids.filter(isUuid)
  const found = known.length === 0 ? [] : await memberStore.names(ctx, [...new Set(known)])
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Ids of members by their e-mail addresses in lower case; addresses of others are absent. */
export async function membersByEmail(
  ctx: Ctx,
  emails: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(emails.map((email) => email.toLowerCase()))]
  const found = wanted.length === 0 ? [] : await memberStore.idsByEmail(ctx, wanted)
  return new Map(found.map(({ email, id }) => [email, id]))
}

/** Of the tenant of the context: where its pages are, below `/t/`. */
export async function tenantSlug(ctx: Ctx): Promise<string> {
  return (await store.ownTenant(ctx)).slug
}

/** Whether this is the only tenant, which may then change installation-wide settings. */
export function isOnlyTenant(ctx: Ctx): Promise<boolean> {
  return store.isOnlyTenant(ctx)
}

/** All tenants of the installation. */
export async function listTenants(system: Ctx): Promise<Tenant[]> {
  permit(system, 'tenants:read')
  return store.tenants(system)
}

export async function getTenantBySlug(system: Ctx, slug: string): Promise<Tenant> {
  permit(system, 'tenants:read')
  const tenant = await store.tenantBySlug(system, slug)
  if (!tenant) throw notFound(`tenant ${slug}`)
  return tenant
}

/** Needs a system context bound to the tenant; other users are added by invitation. */
export async function createUser(system: Ctx, input: NewUser): Promise<User> {
  permit(system, 'accounts:write')
  const email = parseEmail(input.email)
  checkPasswordPolicy('password', input.password, email)
  const passwordHash = await hashPassword(input.password)
  return atomically(system, async (inner) => {
    const user = await accounts.add(inner, {
      email,
      passwordHash,
      mayCreateTenants: input.mayCreateTenants ?? false,
    })
    if (!user) throw conflict(`email: ${email} has an account already`)
    const role = (await roles.roles(inner)).find(
      ({ builtIn }) => builtIn === (input.isAdmin ? 'admin' : 'viewer'),
    )
    if (!role) throw new Error('the tenant lacks a built-in role')
    await memberStore.add(inner, user.id, role.id)
    await record(inner, 'user.created', { type: 'user', id: user.id }, { email, role: role.name })
    return { id: user.id, email, isAdmin: input.isAdmin }
  })
}
