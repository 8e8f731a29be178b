import type { Outcome } from '../credential.ts'

/** What a credential, or an account of a directory, has met with lately. */
export interface Record {
  /** The addresses that refused it in a row. */
  readonly refusedBy: readonly string[]
  /** How often it was set aside in a row. */
  readonly trips: number
  readonly openUntil: Date | null
}

/** The same at one address. */
export interface RecordHere {
  readonly refusedInRow: number
  readonly trips: number
  readonly openUntil: Date | null
}

/** After refusals by so many hosts in a row the credential is taken to be wrong, not the host. */
export const HOSTS_MAX = 3
/** How often a credential may be refused at one host, in whatever scans: less than what locks an account. */
export const TIMES_MAX = 2
/** Set aside for so long, each time longer; a person may end it. */
const COOL_DOWN_MINUTES = [15, 60, 240, 1_440]

/** A directory (Active Directory) locks an account by failures on all hosts, so two failures anywhere open the breaker. */
export function afterOutcome(
  before: Record,
  reported: { readonly outcome: Outcome; readonly address: string; readonly isOfDirectory: boolean },
  now: Date,
): Record {
  if (reported.outcome === 'unanswered') return before
  if (reported.outcome === 'accepted') return { refusedBy: [], trips: 0, openUntil: null }
  const refusedBy = reported.isOfDirectory
    ? [...before.refusedBy, reported.address]
    : [...new Set([...before.refusedBy, reported.address])]
  const limit = reported.isOfDirectory ? TIMES_MAX : HOSTS_MAX
  // after a cool-down one more refusal is enough
  if (refusedBy.length < limit) return { ...before, refusedBy }
  return {
    refusedBy: refusedBy.slice(-limit),
    trips: before.trips + 1,
    openUntil: coolDown(before.trips, now),
  }
}

export function afterOutcomeHere(before: RecordHere, outcome: Outcome, now: Date): RecordHere {
  if (outcome === 'unanswered') return before
  if (outcome === 'accepted') return { refusedInRow: 0, trips: 0, openUntil: null }
  const refusedInRow = before.refusedInRow + 1
  if (refusedInRow < TIMES_MAX) return { ...before, refusedInRow }
  return { refusedInRow, trips: before.trips + 1, openUntil: coolDown(before.trips, now) }
}

function coolDown(trips: number, now: Date): Date {
  const minutes = COOL_DOWN_MINUTES[Math.min(trips, COOL_DOWN_MINUTES.length - 1)] ?? 0
  return new Date(now.getTime() + minutes * 60_000)
}
