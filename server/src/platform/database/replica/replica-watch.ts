import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Log } from '../../observability/log.ts'
import type { Db } from '../db.ts'

/** Of what moment a replica is, by places in the log of the primary. */
export interface ReplicaWatch {
  /** All that was committed before is there; undefined: it is older than is allowed, or not known. */
  readonly asOf: () => string | undefined
  readonly close: () => void
}

export interface WatchedReplica {
  readonly primary: Db
  readonly replica: Db
  readonly log: Pick<Log, 'warn'>
  /** The replica has answered. */
  readonly onHeard: () => void
  /** Resolves after so many milliseconds; by the clock of the machine unless given. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Nothing that is older is answered. */
const STALE_MAX_MS = 5_000
const ASK_EVERY_MS = 500
/** Notes of writes are needed for seconds. */
const SWEEP_EVERY = 120

/** How far the primary had written its log at a moment; `askedAt` is of the clock of `performance.now`. */
interface Place {
  readonly at: string
  readonly askedAt: number
  readonly written: number
}

/**
 * What the replica says of its own age is not enough: cut off from the primary, it has replayed all that it received. So the
 * primary is asked how far its log goes, and the replica whether it has come so far.
 */
export function watchReplica({ primary, replica, log, onHeard, ...given }: WatchedReplica): ReplicaWatch {
  const closing = new AbortController()
  const pause =
    given.pause ??
    ((ms: number) => sleep(ms, undefined, { ref: false, signal: closing.signal }).catch(() => {}))
  let places: Place[] = []
  let reached: Place | undefined
  let isSame: boolean | undefined

  async function ask(): Promise<void> {
    const askedAt = performance.now()
    const { database, ...place } = await primary.one(placeWritten)
    places = [...places.filter((it) => it.askedAt > askedAt - STALE_MAX_MS), { ...place, askedAt }]
    const found = await replica.one(placeReplayed)
    onHeard()
    if (found.database !== database) {
      if (isSame !== false) log.warn('READ_DATABASE_URL leads to another database; it is not used')
      isSame = false
      reached = undefined
      return
    }
    isSame = true
    reached = places.findLast((it) => it.written <= found.replayed) ?? reached
  }
  async function run(): Promise<void> {
    let wasFailing = false
    for (let round = 0; !closing.signal.aborted; round += 1) {
      try {
        await ask()
        wasFailing = false
        if (round % SWEEP_EVERY === 0) await primary.run(oldWriters)
      } catch (error) {
        if (!wasFailing && !closing.signal.aborted) log.warn({ err: error }, 'the replica is not asked')
        wasFailing = true
      }
      await pause(ASK_EVERY_MS)
    }
  }
  void run()
  return {
    asOf: () => (reached && performance.now() - reached.askedAt < STALE_MAX_MS ? reached.at : undefined),
    close: () => closing.abort(),
  }
}

const identity = sql<string>`current_database() || ' ' || (select system_identifier from pg_control_system())`

const placeWritten = sql<Omit<Place, 'askedAt'> & { database: string }>`
  select clock_timestamp() as at, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as written, ${identity} as database`

/** One that has become the primary has all that it has written. */
const placeReplayed = sql<{ replayed: number; database: string }>`
  select pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::bigint as replayed,
    ${identity} as database`

const oldWriters = sql`delete from recent_writers where wrote_at < now() - interval '1 minute'`
