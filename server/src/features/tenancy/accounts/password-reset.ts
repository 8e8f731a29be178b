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

/** OWASP Forgot Password Cheat Sheet: a link of short life that works once. */
const RESET_LIFETIME = '1 hour'
const TOKEN = /^[0-9a-f]{64}$/

/**
 * For the operator of the installation, who hands the token to the person: it sets a new password once, within the
 * hour. With `removesSecondFactor`, for somebody who lost that too, it goes at once.
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

/** Ends every session of the person and every other link. The second factor is still asked for at the next sign-in. */
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

/** 410, the same for a link that is unknown, used or expired. */
export const linkExpired = (): Refusal =>
  new Refusal(410, 'link_ended', 'the link was used already or is too old; ask for another')
