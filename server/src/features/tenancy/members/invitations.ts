import { record } from '#features/audit/audit.ts'
import { refuseUnprintable } from '#platform/validation/checked-name.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid, notFound } from '#platform/errors.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { isUuid } from '#platform/uuid.ts'
import * as accounts from '../accounts/account-store.ts'
import { asUser } from '../accounts/accounts.ts'
import type { Account } from '../accounts/account.ts'
import { rememberDevice } from '../sign-in/known-devices.ts'
import { parseEmail } from '../accounts/email-address.ts'
import * as store from './invitation-store.ts'
import { linkExpired } from '../accounts/password-reset.ts'
import { hashPassword } from '../accounts/password-hash.ts'
import { checkPasswordPolicy } from '../accounts/password-policy.ts'
import * as memberStore from './member-store.ts'
import { grantableRole, listRoles } from '../roles/roles.ts'
import { openSession } from '../sessions/sessions.ts'
import type { ClientInfo, SignedIn } from '../sessions/session.ts'
import type { Invitation, IssuedInvitation, InvitationPreview } from './invitation.ts'

const TOKEN = /^[0-9a-f]{64}$/
const NAME_LENGTH_MAX = 200

/** A second invitation of one address replaces the first. */
export async function inviteUser(
  ctx: Ctx,
  input: { email: string; roleId: string },
): Promise<IssuedInvitation> {
  permit(ctx, 'users:write')
  const email = parseEmail(input.email)
  return atomically(ctx, async (inner) => {
    const role = await grantableRole(inner, 'roleId', input.roleId)
    if (await memberStore.hasEmail(inner, email))
      throw conflict(`email: ${email} belongs to the organisation already`)
    const token = newSecret()
    const id = await store.put(inner, { email, roleId: role.id, tokenHash: sha256(token) })
    await record(inner, 'invitation.created', { type: 'invitation', id }, { email, role: role.name })
    return { id, email, token }
  })
}

/** For the command line, which names roles instead of giving their id. */
export async function inviteAs(ctx: Ctx, email: string, roleName: string): Promise<IssuedInvitation> {
  const roles = await listRoles(ctx)
  const role = roles.find(({ name }) => name.toLowerCase() === roleName.toLowerCase())
  if (!role) throw invalid('role', `is none of ${roles.map(({ name }) => name).join(', ')}`)
  return inviteUser(ctx, { email, roleId: role.id })
}

/** Newest first, including expired ones. */
export async function listInvitations(ctx: Ctx): Promise<Invitation[]> {
  permit(ctx, 'users:read')
  return store.all(ctx)
}

export async function revokeInvitation(ctx: Ctx, id: string): Promise<void> {
  permit(ctx, 'users:write')
  await atomically(ctx, async (inner) => {
    const email = isUuid(id) ? await store.remove(inner, id) : undefined
    if (email === undefined) throw notFound('invitation')
    await record(inner, 'invitation.revoked', { type: 'invitation', id }, { email })
  })
}

export async function readInvitation(system: Ctx, token: string): Promise<InvitationPreview> {
  const { tenantName, email, roleName } = await find(system, token)
  const account = await accounts.byEmail(system, email)
  return { organisation: tenantName, email, role: roleName, hasAccount: account !== undefined }
}

/** For an address without an account: creates it and signs in. Returns the tokens of session and device. */
export async function acceptAsNewUser(
  system: Ctx,
  input: { token: string; name: string; password: string },
  from: ClientInfo,
): Promise<{ readonly token: string; readonly device: string }> {
  const name = input.name.trim()
  if (name.length > NAME_LENGTH_MAX) throw invalid('name', `must have at most ${NAME_LENGTH_MAX} characters`)
  refuseUnprintable('name', name)
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    const invitation = await find(inner, input.token)
    const { email, tenantId } = invitation
    checkPasswordPolicy('password', input.password, email)
    const passwordHash = await hashPassword(input.password)
    const account = await accounts.add(inner, { email, name, passwordHash })
    if (!account) throw conflict(`${email} has an account; sign in and open the link again`)
    await join(inner, invitation, account, from.address)
    await accounts.recordLastSignIn(inner, account.id)
    const session = { userId: account.id, tenantId, boundTo: null, awaitsCode: false }
    return {
      token: await openSession(inner, session, from),
      device: await rememberDevice(inner, account.id, from.device),
    }
  })
}

/** For a person who is signed in under the invited address. Returns the tenant's id. */
export async function acceptInvitation(system: Ctx, who: SignedIn, token: string): Promise<string> {
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    const invitation = await find(inner, token)
    const account = await accounts.byId(inner, who.user.id)
    const isInvited = account.email.toLowerCase() === invitation.email.toLowerCase()
    if (who.boundTo !== null || account.managedBy !== null || !isInvited)
      throw conflict(
        `the invitation is for ${invitation.email}; sign in under that address with its password`,
      )
    await join(inner, invitation, account, who.address)
    return invitation.tenantId
  })
}

async function find(system: Ctx, token: string): Promise<store.Found> {
  const found = TOKEN.test(token) ? await store.byToken(system, sha256(token)) : undefined
  if (!found) throw linkExpired()
  return found
}

async function join(
  system: Ctx,
  { id, tenantId, email, roleId, roleName }: store.Found,
  account: Account,
  address: string,
): Promise<void> {
  const ctx = { ...asUser(system, account, address), tenantId }
  await store.remove(ctx, id)
  if (!(await memberStore.add(ctx, account.id, roleId)))
    throw conflict('you belong to the organisation already')
  await record(ctx, 'user.joined', { type: 'user', id: account.id }, { email, role: roleName })
}
