import type { Ctx } from '#platform/context.ts'
import { newSecret, sha256 } from '#platform/secrets/random-keys.ts'
import type { Cookie } from '#platform/http/session-routes.ts'
import * as store from './known-device-store.ts'

/**
 * A browser in which the person signed in before (OWASP Authentication Cheat Sheet, Login Throttling; "device
 * cookies"). The cookie does not authenticate: failures with it are counted separately, so that attempts from
 * elsewhere cannot lock the person out.
 */
export const DEVICE_COOKIE = 'rollcall_device'
const LIFETIME_SECONDS = 180 * 24 * 3_600
const TOKEN = /^[0-9a-f]{64}$/

/** Value for `LoginAttempt.own`; undefined if nobody signed in to the account of this address in this browser. */
export async function knownDevice(
  system: Ctx,
  token: string | undefined,
  email: string,
): Promise<string | undefined> {
  const tokenHash = hashOf(token)
  if (!tokenHash || !(await store.isKnown(system, email, tokenHash))) return undefined
  return `device ${tokenHash.toString('hex')}`
}

/**
 * After a sign-in: returns a new device token for the browser (against fixation of the previous one). Joins the
 * caller's transaction if there is one.
 */
export async function rememberDevice(
  system: Ctx,
  userId: string,
  before: string | undefined,
): Promise<string> {
  const token = newSecret()
  await system.db.transaction((db) =>
    store.remember({ ...system, db }, userId, { before: hashOf(before), next: sha256(token) }),
  )
  return token
}

/** After a password change, and when a person signs out everywhere. */
export const forgetDevices = (system: Ctx, userId: string): Promise<void> => store.forgetAll(system, userId)

/** The cookie's path limits it to the sign-in routes. */
export const deviceCookie = (token: string): Cookie => ({
  name: DEVICE_COOKIE,
  value: token,
  path: '/session',
  maxAgeSeconds: LIFETIME_SECONDS,
})

const hashOf = (token: string | undefined): Buffer | undefined =>
  token !== undefined && TOKEN.test(token) ? sha256(token) : undefined
