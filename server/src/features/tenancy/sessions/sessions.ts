import { record } from '#features/audit/audit.ts'
import type { Actor, Ctx } from '#platform/context.ts'
import { tenantNotFound, notFound, unauthorized } from '#platform/errors.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import * as accounts from '../accounts/account-store.ts'
import { asUser } from '../accounts/accounts.ts'
import type { Membership } from '../accounts/account.ts'
import { forgetDevices } from '../sign-in/known-devices.ts'
import { grants } from '../roles/permissions.ts'
import { permissionsOf } from '../roles/roles.ts'
import * as store from './session-store.ts'
import { isSlug } from '../tenant-slug.ts'
import type { ClientInfo, SessionInfo, SignedIn } from './session.ts'

/** Makes contexts for requests; see `Runtime`. */
export interface ContextFactory {
  readonly system: Ctx
  readonly contextFor: (tenantId: string, actor: Actor) => Ctx
}

const USER_AGENT_LENGTH_MAX = 300
/** Matches no tenant; used in place of a malformed slug. */
const NO_SLUG = ''
const TOKEN = /^[0-9a-f]{64}$/

interface Asked {
  readonly token: string | undefined
  /** Slug of the tenant that the request names. */
  readonly slug: string
  readonly address: string
  /** A background request, which does not extend the idle timeout. */
  readonly isPassive?: boolean
}

/** The context of the session's person in the requested tenant, with the permissions of their role there. */
export async function sessionContext(
  { system, contextFor }: ContextFactory,
  { token, slug, address, isPassive = false }: Asked,
): Promise<Ctx> {
  const session = await requireSession(system, token, slug)
  if (session.isLastSeenStale && !isPassive) await store.touch(system, session.id)
  const { user, tenant, permissions } = toSignedIn(session, address)
  if (!tenant) throw tenantNotFound(slug)
  return contextFor(tenant.id, {
    kind: 'user',
    id: user.id,
    name: user.email,
    address,
    may: (permission) => grants(permissions, permission),
    ...(session.limitedTo !== null && { limitedTo: session.limitedTo }),
  })
}

/** Throws `unauthorized` (401) without a complete sign-in. With `slug` in that tenant, else in the tenant used last. */
export async function signedIn(
  system: Ctx,
  token: string | undefined,
  address: string,
  slug?: string,
): Promise<SignedIn> {
  const session = await requireSession(system, token, slug)
  if (session.isLastSeenStale) await store.touch(system, session.id)
  return toSignedIn(session, address)
}

async function requireSession(
  system: Ctx,
  token: string | undefined,
  slug?: string,
): Promise<store.StoredSession> {
  const session = await findSession(system, token, slug)
  if (!session || session.awaitsCode) throw unauthorized('sign in first')
  return session
}

export async function findSession(
  system: Ctx,
  token: string | undefined,
  slug?: string,
): Promise<store.StoredSession | undefined> {
  return token !== undefined && TOKEN.test(token)
    ? store.find(system, sha256(token), slug === undefined || isSlug(slug) ? slug : NO_SLUG)
    : undefined
}

/** Always uses a new token (against session fixation). Returns the token. */
export async function openSession(
  system: Ctx,
  wanted: Pick<store.NewSession, 'userId' | 'tenantId' | 'boundTo' | 'awaitsCode'>,
  { address, userAgent }: ClientInfo,
): Promise<string> {
  const token = newSecret()
  const client = { address, userAgent: userAgent.slice(0, USER_AGENT_LENGTH_MAX) }
  await store.add(system, { ...wanted, ...client, tokenHash: sha256(token) })
  return token
}

/** Ends the session of this token, if it exists. */
export async function endSession(system: Ctx, token: string | undefined): Promise<void> {
  const session = await findSession(system, token)
  if (session) await store.end(system, session.id)
}

/** Replaces the token after a change of privileges or password. Returns the new token. */
export async function renewSession(system: Ctx, sessionId: string): Promise<string> {
  const token = newSecret()
  if (!(await store.renew(system, sessionId, sha256(token)))) throw unauthorized('sign in first')
  return token
}

/** The tenants that the session may use. */
export async function listMemberships(system: Ctx, { user, boundTo }: SignedIn): Promise<Membership[]> {
  const all = await accounts.memberships(system, user.id)
  return boundTo === null ? all : all.filter(({ id }) => id === boundTo)
}

/** Stores the current tenant, which is used for addresses without a tenant and after the next sign-in. */
export async function enterTenant(
  system: Ctx,
  { sessionId, user }: SignedIn,
  tenantId: string,
): Promise<void> {
  await store.setCurrentTenant(system, { id: sessionId, userId: user.id, tenantId })
}

export function listSessions(system: Ctx, { user, boundTo, sessionId }: SignedIn): Promise<SessionInfo[]> {
  return store.listOf(system, { userId: user.id, boundTo, id: sessionId })
}

/** Ends another session of the same person. */
export async function revokeSession(system: Ctx, who: SignedIn, id: string): Promise<void> {
  const isOwn = isUuid(id) && (await listSessions(system, who)).some((it) => it.id === id.toLowerCase())
  if (!isOwn) throw notFound('session')
  await store.end(system, id)
  await note(system, who, 'user.session_ended')
}

/** Ends the session; no error if it has ended already. */
export async function signOut(system: Ctx, token: string | undefined, address: string): Promise<void> {
  const session = await findSession(system, token)
  if (!session) return
  await store.end(system, session.id)
  if (!session.awaitsCode) await note(system, toSignedIn(session, address), 'user.signed_out')
}

/** Ends all sessions of the person, including this one, and forgets all known devices. */
export async function signOutEverywhere(system: Ctx, who: SignedIn): Promise<void> {
  await store.endAll(system, { userId: who.user.id, boundTo: who.boundTo })
  if (who.boundTo === null) await forgetDevices(system, who.user.id)
  await note(system, who, 'user.signed_out_everywhere')
}

/** Writes an audit entry in the person's current tenant. */
async function note(system: Ctx, { tenant, user, address }: SignedIn, action: string): Promise<void> {
  if (!tenant) return
  const ctx = { ...asUser(system, user, address), tenantId: tenant.id }
  await record(ctx, action, { type: 'user', id: user.id }, { email: user.email })
}

function toSignedIn(it: store.StoredSession, address: string): SignedIn {
  const isIn = it.boundTo === null || it.boundTo === it.tenantId
  const tenant =
    isIn && it.tenantId !== null
      ? { id: it.tenantId, slug: it.slug ?? '', name: it.tenantName ?? '', isDemo: it.isDemo ?? false }
      : null
  return {
    sessionId: it.id,
    expiresAt: it.expiresAt,
    user: {
      id: it.userId,
      email: it.email,
      name: it.userName,
      isManaged: it.isManaged,
      hasSecondFactor: it.hasSecondFactor,
      mayCreateTenants: it.mayCreateTenants,
      preferences: {
        language: it.language,
        timeZone: it.timeZone,
        dateFormat: it.dateFormat,
        numberFormat: it.numberFormat,
      },
    },
    tenant,
    role: tenant && it.roleId !== null ? { id: it.roleId, name: it.roleName ?? '' } : null,
    permissions: tenant ? permissionsOf({ builtIn: it.builtIn, permissions: it.permissions ?? [] }) : [],
    limitedTo: tenant && it.limitedTo,
    boundTo: it.boundTo,
    address,
  }
}
