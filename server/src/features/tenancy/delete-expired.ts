import type { Ctx } from '#platform/context.ts'
import * as accounts from './accounts/account-store.ts'
import * as devices from './sign-in/known-device-store.ts'
import * as guesses from './sign-in/login-throttle-store.ts'
import * as sessions from './sessions/session-store.ts'
import * as signOn from './single-sign-on/oidc-store.ts'

/** Deletes expired sessions, reset links, throttle counts, known devices and pending single sign-ons. */
export async function deleteAllExpired(system: Ctx): Promise<void> {
  await sessions.deleteExpired(system)
  await accounts.deleteExpired(system)
  await guesses.deleteExpired(system)
  await devices.deleteExpired(system)
  await signOn.deleteExpired(system)
}
