import { record } from '#features/audit/audit.ts'
import { systemActor, type Ctx } from '#platform/context.ts'
import { unauthorized } from '#platform/errors.ts'
import { shortened } from '#platform/validation/shortened.ts'
import * as store from '../accounts/account-store.ts'
import { asUser, recordInAllTenants } from '../accounts/accounts.ts'
import type { Account } from '../accounts/account.ts'
import { knownDevice, rememberDevice } from './known-devices.ts'
import { emailKey, throttled } from './login-throttle.ts'
import { verifyPasswordOf } from '../accounts/password-hash.ts'
import { isSecondFactor } from '../second-factor/second-factor.ts'
import { end } from '../sessions/session-store.ts'
import { endSession, findSession, openSession } from '../sessions/sessions.ts'
import type { ClientInfo } from '../sessions/session.ts'
import { onlyTenant } from '../tenant-store.ts'

/** With `awaitsCode` the password was right, and `passSecondFactor` must follow. */
export interface SignInResult {
  readonly token: string
  readonly awaitsCode: boolean
  /** The device token for this browser; undefined before the sign-in is complete. */
  readonly device?: string
}

/** The same message and response time whether the account does not exist or the password is wrong. */
const WRONG = 'the e-mail address or the password is wrong'
/** RFC 5321 maximum length; longer input is truncated in the audit entry. */
const EMAIL_LOGGED_MAX = 254
const WRONG_CODE = 'the code is wrong or was used before'

/** Ends the browser's previous session; the new one has a new token (against session fixation). */
export async function signIn(
  system: Ctx,
  { email, password, before }: { email: string; password: string; before?: string | undefined },
  from: ClientInfo,
): Promise<SignInResult> {
  const own = await knownDevice(system, from.device, email.trim())
  const { address } = from
  const account = await throttled(
    system,
    { purpose: 'password', account: emailKey(email), address, own },
    async () => {
      const found = await store.byEmail(system, email.trim())
      if (await verifyPasswordOf(found, password)) return found
      await recordFailure(system, found, { email, address })
      return undefined
    },
  )
  if (!account) throw unauthorized(WRONG)
  await endSession(system, before)
  if (!account.hasSecondFactor) return completeSignIn(system, account, from)
  const wanted = { userId: account.id, tenantId: null, boundTo: null, awaitsCode: true }
  return { token: await openSession(system, wanted, from), awaitsCode: true }
}

/** `code` is from the authenticator app, or a recovery code, which becomes invalid. */
export async function passSecondFactor(
  system: Ctx,
  { token, code }: { token: string | undefined; code: string },
  from: ClientInfo,
): Promise<SignInResult> {
  const session = await findSession(system, token)
  if (!session?.awaitsCode) throw unauthorized('sign in first')
  const own = await knownDevice(system, from.device, session.email)
  const { address } = from
  const account = await throttled(
    system,
    { purpose: 'code', account: session.userId, address, own },
    async () => {
      const found = await store.byId(system, session.userId)
      if (await isSecondFactor(system, found, code)) return found
      await recordFailure(system, found, { email: found.email, address, step: 'second factor' })
      return undefined
    },
  )
  if (!account) throw unauthorized(WRONG_CODE)
  await end(system, session.id)
  return completeSignIn(system, account, from)
}

async function completeSignIn(system: Ctx, account: Account, from: ClientInfo): Promise<SignInResult> {
  const all = await store.memberships(system, account.id)
  const membership = all.find(({ id }) => id === account.lastTenantId) ?? all[0]
  const tenantId = membership?.id ?? null
  await store.recordLastSignIn(system, account.id)
  if (membership) {
    const ctx = { ...asUser(system, account, from.address), tenantId: membership.id }
    await record(ctx, 'user.signed_in', { type: 'user', id: account.id }, { email: account.email })
  }
  const session = { userId: account.id, tenantId, boundTo: null, awaitsCode: false }
  return {
    token: await openSession(system, session, from),
    awaitsCode: false,
    device: await rememberDevice(system, account.id, from.device),
  }
}

interface Failure {
  readonly email: string
  readonly address: string
  readonly step?: 'second factor'
}

/**
 * Audited in every tenant of the account; for an address without an account only if the installation has a single
 * tenant, so that strangers cannot write to a tenant's log. Attempts refused by the throttle are not audited.
 */
async function recordFailure(
  system: Ctx,
  account: Account | undefined,
  { email, address, step }: Failure,
): Promise<void> {
  const acting = { ...system, actor: { ...systemActor('sign-in'), address } }
  const details = { email: shortened(email.trim(), EMAIL_LOGGED_MAX), step: step ?? 'password' }
  await system.db.transaction(async (db) => {
    if (account) return recordInAllTenants({ ...acting, db }, account, 'user.sign_in_failed', details)
    const tenantId = await onlyTenant({ ...system, db })
    if (tenantId === undefined || !details.email.includes('@')) return undefined
    return record({ ...acting, db, tenantId }, 'user.sign_in_failed', { type: 'user', id: '' }, details)
  })
}
