/** A process elsewhere that carries out scans where the server does not reach. Times are RFC 3339. */
export interface Collector {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Null until it has shown its enrolment secret. */
  readonly enrolledAt: string | null
  readonly version: string
  /** From which its latest request came. */
  readonly address: string
  readonly lastSeenAt: string | null
  readonly revokedAt: string | null
  /** When two processes were seen with its identity last; null: never. */
  readonly sharedAt: string | null
}

export interface IssuedCollector {
  readonly collector: Collector
  /** With which it enrols, once, within a day. Shown this once. */
  readonly secret: string
}

export const collectorStates = ['waiting', 'online', 'offline', 'revoked'] as const
export type CollectorState = (typeof collectorStates)[number]

/** A collector asks for work without a pause; one that was silent for longer is taken for lost. */
export const SILENCE_MS_MAX = 30_000

export function stateOf({ revokedAt, enrolledAt, lastSeenAt }: Collector, now: Date): CollectorState {
  if (revokedAt !== null) return 'revoked'
  if (enrolledAt === null) return 'waiting'
  const isHeard = lastSeenAt !== null && now.getTime() - Date.parse(lastSeenAt) <= SILENCE_MS_MAX
  return isHeard ? 'online' : 'offline'
}
