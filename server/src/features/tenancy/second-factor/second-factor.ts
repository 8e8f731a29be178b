import type { Ctx } from '#platform/context.ts'
import { conflict, forbidden, invalid } from '#platform/errors.ts'
import * as store from '../accounts/account-store.ts'
import { asUser, recordInAllTenants } from '../accounts/accounts.ts'
import type { Account } from '../accounts/account.ts'
import { newTotpSecret, stepOf, totpUri } from './totp.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { throttled, type LoginAttempt } from '../sign-in/login-throttle.ts'
import { verifyPasswordOf } from '../accounts/password-hash.ts'
import { endAll } from '../sessions/session-store.ts'
import { renewSession } from '../sessions/sessions.ts'
import type { SignedIn } from '../sessions/session.ts'

/** For an authenticator app: `uri` for a QR code, `secret` for typing. */
export interface Enrolment {
  readonly secret: string
  readonly uri: string
}

/** Displayed once. `token` is the new token of the session. */
export interface NewRecoveryCodes {
  readonly recoveryCodes: readonly string[]
  readonly token: string
}

/** Starts the enrolment; the second factor is not in use before `confirmTotp`. */
export async function enrolTotp(system: Ctx, who: SignedIn, password: string): Promise<Enrolment> {
  const account = await reauthenticate(system, who, password)
  const secret = newTotpSecret()
  const isProposed = await store.proposeTotp(
    system,
    account.id,
    system.seal.seal(secret, sealContext(account.id)),
  )
  if (!isProposed) throw conflict('a second factor is in use already; remove it first')
  return { secret, uri: totpUri(secret, account.email) }
}

/** Confirms the enrolment with a first code. Ends the other sessions: they were opened without a second factor. */
export async function confirmTotp(system: Ctx, who: SignedIn, code: string): Promise<NewRecoveryCodes> {
  refuseBound(who)
  const account = await store.byId(system, who.user.id)
  if (account.hasSecondFactor || !account.totpSecret) throw conflict('begin with a new secret')
  const isRight = await throttled(system, reauthenticationAttempt(who), async () =>
    (await claimTotp(system, account, code)) ? true : undefined,
  )
  if (!isRight) throw invalid('code', 'is wrong; check the clock of the device that shows it')
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    if (!(await store.confirmTotp(inner, account.id))) throw conflict('a second factor is in use already')
    await endAll(inner, { userId: account.id, exceptId: who.sessionId })
    await recordInAllTenants(asUser(inner, account, who.address), account, 'user.second_factor_enabled')
    return newCodes(inner, who)
  })
}

/** Replaces all recovery codes. */
export async function renewRecoveryCodes(
  system: Ctx,
  who: SignedIn,
  password: string,
): Promise<NewRecoveryCodes> {
  const account = await reauthenticate(system, who, password)
  if (!account.hasSecondFactor) throw conflict('there is no second factor')
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    await recordInAllTenants(asUser(inner, account, who.address), account, 'user.recovery_codes_renewed')
    return newCodes(inner, who)
  })
}

/** Returns the new token of the session. */
export async function removeTotp(
  system: Ctx,
  who: SignedIn,
  { password, code }: { password: string; code: string },
): Promise<string> {
  const account = await reauthenticate(system, who, password)
  if (!account.hasSecondFactor) throw conflict('there is no second factor')
  const isRight = await throttled(system, reauthenticationAttempt(who), async () =>
    (await isSecondFactor(system, account, code)) ? true : undefined,
  )
  if (!isRight) throw invalid('code', 'is wrong or was used before')
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    await store.removeTotp(inner, account.id)
    await recordInAllTenants(asUser(inner, account, who.address), account, 'user.second_factor_removed')
    return renewSession(inner, who.sessionId)
  })
}

export function recoveryCodesLeft(system: Ctx, { user }: SignedIn): Promise<number> {
  return store.recoveryCodesLeft(system, user.id)
}

/** Whether a TOTP or recovery code is valid. A valid code is used up. */
export async function isSecondFactor(system: Ctx, account: Account, code: string): Promise<boolean> {
  const isTotp = await claimTotp(system, account, code)
  return isTotp || store.claimRecoveryCode(system, account.id, recoveryHash(code))
}

/**
 * Asks for the password again before password or second factor are changed. Refused in a session of single sign-on.
 */
export async function reauthenticate(
  system: Ctx,
  who: SignedIn,
  password: string,
  field = 'password',
): Promise<Account> {
  refuseBound(who)
  const account = await throttled(system, reauthenticationAttempt(who), async () => {
    const found = await store.byId(system, who.user.id)
    return (await verifyPasswordOf(found, password)) ? found : undefined
  })
  if (!account) throw invalid(field, 'is wrong')
  return account
}

/** Failures are counted per session: failed sign-ins elsewhere do not lock this session, and the reverse. */
const reauthenticationAttempt = ({ user, address, sessionId }: SignedIn): LoginAttempt => ({
  purpose: 'change',
  account: user.id,
  address,
  own: `session ${sessionId}`,
})

function refuseBound({ boundTo }: SignedIn): void {
  if (boundTo !== null)
    throw forbidden(
      'you signed in through your organisation, which takes care of your password and second factor',
    )
}

async function claimTotp(system: Ctx, account: Account, code: string): Promise<boolean> {
  if (!account.totpSecret) return false
  const secret = system.seal.open(account.totpSecret, sealContext(account.id))
  const step = stepOf(code.replaceAll(' ', ''), secret, system.now())
  return step !== undefined && store.claimTotpStep(system, account.id, step)
}

async function newCodes(system: Ctx, { user, sessionId }: SignedIn): Promise<NewRecoveryCodes> {
  const recoveryCodes = newRecoveryCodes()
  await store.setRecoveryCodes(system, user.id, recoveryCodes.map(recoveryHash))
  return { recoveryCodes, token: await renewSession(system, sessionId) }
}

/** Associated data of the encrypted TOTP secret. */
export const sealContext = (userId: string): string => `users.totp_secret ${userId}`
