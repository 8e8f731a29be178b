import { record } from '#features/audit/audit.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { conflict, forbidden } from '#platform/errors.ts'
import { asUser } from '../accounts/accounts.ts'
import * as accounts from '../accounts/account-store.ts'
import * as memberStore from '../members/member-store.ts'
import * as roles from '../roles/role-store.ts'
import type { SignedIn } from '../sessions/session.ts'
import { createTenant } from './create-tenant.ts'
import type { Tenant } from '../tenant.ts'
import { tenantAccessTopic } from '../sessions/access-revoked-topics.ts'
import * as store from './own-tenant-store.ts'

const TENANTS_PER_PERSON_MAX = 500
const DEMO_NAME = 'Demo company'

/** Makes an organisation with the person as its administrator. Throws 403 unless they were allowed to. */
export async function createOwnTenant(
  system: Ctx,
  who: SignedIn,
  input: { readonly slug: string; readonly name: string },
): Promise<Tenant> {
  if (!who.user.mayCreateTenants)
    throw forbidden('you may not make organisations; the operator can allow it: rollcall user allow-tenants')
  return system.db.transaction((db) => make({ ...system, db }, who, { ...input, isDemo: false }))
}

/** The demo that the person has, or a new one. Throws 403 unless they are an administrator of some organisation. */
export async function openOwnDemo(system: Ctx, who: SignedIn): Promise<Tenant> {
  if (who.boundTo !== null)
    throw forbidden('who signs in with an identity provider stays in its organisation')
  await store.lockPerson(system, who.user.id)
  const own = await store.demoOf(system, who.user.id)
  if (own) return own
  if (!(await store.isAdministrator(system, who.user.id)))
    throw forbidden('only an administrator of an organisation gets a demo')
  return make(system, who, { slug: await freeSlug(system), name: DEMO_NAME, isDemo: true })
}

/** Takes the person's demo away. Nobody is in it any more when this returns; its rows are deleted afterwards. */
export async function closeOwnDemo(system: Ctx, who: SignedIn): Promise<void> {
  await system.db.transaction(async (db) => {
    const inner = { ...system, db }
    await store.lockPerson(inner, who.user.id)
    const own = await store.demoOf(inner, who.user.id)
    if (!own) throw conflict('you have no demo')
    await store.close({ ...inner, tenantId: own.id })
    inner.db.afterCommit(tenantAccessTopic(own.id))
  })
}

/** Undefined: the organisation is no demo. `filledAt` is null until all its data is there. */
export function getDemo(ctx: Ctx): Promise<{ readonly filledAt: string | null } | undefined> {
  permit(ctx, 'assets:read')
  return store.demo(ctx)
}

/** Lets a person make organisations, or no longer. */
export async function allowTenants(system: Ctx, email: string, isAllowed: boolean): Promise<void> {
  await system.db.transaction(async (db) => {
    const inner = { ...system, db }
    const account = await accounts.byEmail(inner, email)
    if (!account) throw conflict(`email: nobody has an account with a password under ${email}`)
    await store.setMayCreate(inner, account.id, isAllowed)
  })
}

async function make(
  system: Ctx,
  { user, address }: SignedIn,
  input: { readonly slug: string; readonly name: string; readonly isDemo: boolean },
): Promise<Tenant> {
  if ((await accounts.memberships(system, user.id)).length >= TENANTS_PER_PERSON_MAX)
    throw conflict(`a person belongs to at most ${TENANTS_PER_PERSON_MAX} organisations`)
  const tenant = await createTenant(system, input)
  const ctx = { ...asUser(system, user, address), tenantId: tenant.id }
  const admin = (await roles.roles(ctx)).find(({ builtIn }) => builtIn === 'admin')
  if (!admin) throw new Error('the tenant lacks a built-in role')
  await memberStore.add(ctx, user.id, admin.id)
  await record(ctx, 'user.joined', { type: 'user', id: user.id }, { email: user.email, role: admin.name })
  return tenant
}

async function freeSlug(system: Ctx): Promise<string> {
  const taken = new Set(await store.slugsLike(system, 'demo'))
  let n = 1
  while (taken.has(n === 1 ? 'demo' : `demo-${n}`)) n += 1
  return n === 1 ? 'demo' : `demo-${n}`
}
