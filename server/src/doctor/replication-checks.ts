import type { DatabaseFacts, Replica } from '#platform/database/server-facts.ts'
import { ok, warn, type Check } from './check.ts'

const MB = 1024 ** 2
/** One segment of the write-ahead log, as PostgreSQL cuts it unless told otherwise. */
const BEHIND_MOST = 16 * MB
const CLOCK_MOST_MS = 2_000

/** One line for each that follows the database; none follows many an installation, which is no fault. */
export const replicas = (facts: Pick<DatabaseFacts, 'replicas'>): Check[] => facts.replicas.map(replica)

function replica({ name, syncState, bytesBehind }: Replica): Check {
  const check = 'replica'
  if (syncState === null)
    return warn(check, `${name}: what it does cannot be seen`, 'grant pg_monitor to the role of DATABASE_URL')
  if (bytesBehind === null)
    return warn(check, `${name}: ${syncState}, has replayed nothing yet`, 'Look again in a minute.')
  const message = `${name}: ${syncState}, ${(bytesBehind / MB).toFixed(1)} MB behind`
  return bytesBehind > BEHIND_MOST
    ? warn(check, message, 'See whether it runs, whether its replay is paused, and the network to it.')
    : ok(check, message)
}

/** Sessions, leases and what sources report are compared with the clocks of both. */
export function clock({ clockAheadMs }: Pick<DatabaseFacts, 'clockAheadMs'>): Check {
  const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1)
  if (Math.abs(clockAheadMs) <= CLOCK_MOST_MS) return ok('clock', `${seconds} s from the database’s`)
  const side = clockAheadMs > 0 ? 'behind' : 'ahead of'
  return warn('clock', `${seconds} s ${side} the database’s`, 'Let both machines keep time by NTP.')
}
