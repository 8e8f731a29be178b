import type { Ctx } from '#platform/context.ts'
import * as accounts from './account-store.ts'
import * as devices from './device-store.ts'
import * as guesses from './guess-store.ts'
import * as sessions from './session-store.ts'
import * as signOn from './sign-on-store.ts'

/** Removes what opens nothing any more. */
export async function sweepEnded(system: Ctx): Promise<void> {
  await sessions.sweep(system)
  await accounts.sweep(system)
  await guesses.sweep(system)
  await devices.sweep(system)
  await signOn.sweep(system)
}
