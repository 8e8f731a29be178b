import type { Ctx } from '#platform/context.ts'
import * as store from './account-store.ts'
import { asUser, recordInAllTenants } from './accounts.ts'
import { forgetDevices, rememberDevice } from '../sign-in/known-devices.ts'
import { hashPassword } from './password-hash.ts'
import { checkPasswordPolicy } from './password-policy.ts'
import { reauthenticate } from '../second-factor/second-factor.ts'
import { endAll } from '../sessions/session-store.ts'
import type { SignedIn } from '../sessions/session.ts'
import { renewSession } from '../sessions/sessions.ts'

/**
 * Ends all other sessions and forgets all known devices of the person. Returns the new tokens of this session and
 * device.
 */
export async function changePassword(
  system: Ctx,
  who: SignedIn,
  { current, next }: { current: string; next: string },
): Promise<{ readonly token: string; readonly device: string }> {
  const account = await reauthenticate(system, who, current, 'current')
  checkPasswordPolicy('next', next, account.email)
  const passwordHash = await hashPassword(next)
  return system.db.transaction(async (db) => {
    const inner = { ...system, db }
    await store.setPassword(inner, account.id, passwordHash)
    await store.deleteResets(inner, account.id)
    await endAll(inner, { userId: account.id, exceptId: who.sessionId })
    await recordInAllTenants(asUser(inner, account, who.address), account, 'user.password_changed')
    await forgetDevices(inner, account.id)
    const device = await rememberDevice(inner, account.id, undefined)
    return { token: await renewSession(inner, who.sessionId), device }
  })
}
