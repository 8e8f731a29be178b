import { permit, type Ctx } from '#platform/context.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import { endAll } from '../sessions/session-store.ts'
import { forgetDevices } from '../sign-in/known-devices.ts'
import { emailKey, clearFailures } from '../sign-in/login-throttle.ts'
import * as store from './account-store.ts'
import { asUser, recordInAllTenants } from './accounts.ts'
import { hashPassword } from './password-hash.ts'
import { checkPasswordPolicy } from './password-policy.ts'

/** OWASP Forgot Password Cheat Sheet: single-use link with a short lifetime. */
const RESET_LIFETIME = '1 hour'
const TOKEN = /^[0-9a-f]{64}$/

/**
 * Issues a reset token, which the operator passes on to the person: it sets a new password once, within an hour.
 * `removesSecondFactor` removes the second factor immediately.
 */
export async function issueReset(
  system: Ctx,
  email: string,
  removesSecondFactor = false,
): Promise<{ readonly token: string; readonly email: string }> {
  permit(system, 'accounts:write')
  const account = await store.byEmail(system, email)
  if (!account) throw notFound(`account of ${email}`)
  const token = newSecret()
  await system.db.transaction(async (db) => {
    const inner = { ...system, db }
    await store.addReset(inner, account.id, sha256(token), RESET_LIFETIME)
    if (removesSecondFactor) await store.removeTotp(inner, account.id)
    await recordInAllTenants(inner, account, 'user.password_reset_issued')
  })
  return { token, email: account.email }
}

/**
 * Ends all sessions and all other reset links of the person. The second factor is still required at the next sign-in.
 */
export async function resetPassword(
  system: Ctx,
  { token, password }: { token: string; password: string },
  address: string,
): Promise<void> {
  await system.db.transaction(async (db) => {
    const inner = { ...system, db }
    const userId = TOKEN.test(token) ? await store.claimReset(inner, sha256(token)) : undefined
    if (!userId) throw linkExpired()
    const account = await store.byId(inner, userId)
    checkPasswordPolicy('password', password, account.email)
    await store.setPassword(inner, userId, await hashPassword(password))
    await store.deleteResets(inner, userId)
    await endAll(inner, { userId })
    await forgetDevices(inner, userId)
    await clearFailures(inner, { purpose: 'password', account: emailKey(account.email), address })
    await recordInAllTenants(asUser(inner, account, address), account, 'user.password_reset')
  })
}

/** 410; the same for unknown, used and expired links. */
export const linkExpired = (): Refusal =>
  new Refusal(410, 'link_ended', 'the link was used already or is too old; ask for another')
