import { LANGUAGE_COOKIE } from '#platform/http/pages/page-language.ts'
import type { Cookie } from '#platform/http/session-routes.ts'
import { isZone } from '#platform/jobs/schedule.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import * as store from './account-store.ts'
import type { Preferences } from './account.ts'
import { asUser, recordInAllTenants } from './accounts.ts'
import type { SignedIn } from '../sessions/session.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Replaces all preferences of the person, in all of their organisations. */
export async function setPreferences(system: Ctx, who: SignedIn, wanted: Preferences): Promise<void> {
  if (wanted.timeZone !== null) checkZone(wanted.timeZone)
  const before = who.user.preferences
  const changed = (Object.keys(wanted) as (keyof Preferences)[]).filter((it) => wanted[it] !== before[it])
  if (changed.length === 0) return
  await system.db.transaction(async (db) => {
    const acting = asUser({ ...system, db }, who.user, who.address)
    await store.setPreferences(acting, who.user.id, wanted)
    await recordInAllTenants(acting, who.user, 'user.preferences_changed', {
      before: pick(before, changed),
      after: pick(wanted, changed),
    })
  })
}

const pick = (all: Preferences, keys: readonly (keyof Preferences)[]) =>
  Object.fromEntries(keys.map((key) => [key, all[key]]))

/** Tells the server the language of the next page, which it answers before it knows who asks. */
export const languageCookie = (language: Preferences['language']): Cookie => ({
  name: LANGUAGE_COOKIE,
  value: language ?? '',
  path: '/',
  maxAgeSeconds: YEAR_SECONDS,
})

/** An offset is no zone: it knows nothing of summer. */
function checkZone(zone: string): void {
  if (!isZone(zone) || /^[+-]/.test(zone))
    throw invalid('timeZone', 'must be a time zone such as Europe/Berlin')
}
