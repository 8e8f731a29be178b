import { sql } from 'kysely'
import type { Log } from '../../observability/log.ts'
import { isUuid } from '../../uuid.ts'
import type { DatabaseServer } from '../address.ts'
import type { Db } from '../db.ts'
import { openDatabasePool, type DatabasePool, type DatabasePoolOptions } from '../pool.ts'
import { watchReplica } from './replica-watch.ts'

/** A standby that answers reads which may be some seconds old. */
export interface Replica {
  /** Undefined: it is to be read at the primary. */
  readonly reading: (tenantId: string, actorId: string) => Promise<Reading | undefined>
  /** What the actor reads in the next seconds is read at the primary, on all nodes. */
  readonly noteWrite: (actorId: string) => Promise<void>
  readonly load: DatabasePool['load']
  readonly close: () => Promise<void>
}

export interface Reading {
  readonly db: Db
  /** All that was committed before is there; RFC 3339. */
  readonly asOf: string
}

export interface ReplicaOptions extends Pick<DatabasePoolOptions, 'connections' | 'types'> {
  /** The engines' own role at the primary. */
  readonly primary: Db
  /** Statements and transactions at the replica; of the engines without a tenant. */
  readonly bind: (pool: DatabasePool, tenantId?: string) => Db
  readonly log: Pick<Log, 'warn'>
}

/** Reads of who has written within so many seconds are not answered by a replica. */
const OWN_WRITES_SECONDS = 5
/** A write is noted once in so long by each process; what was noted holds for as much longer. */
const NOTED_EVERY_MS = 1_000
const WRITERS_MAX = 10_000

export function openReplica(server: DatabaseServer, options: ReplicaOptions): Replica {
  const { primary, bind, connections, types, log } = options
  let heardAt = performance.now()
  const pool = openDatabasePool({
    connections,
    types,
    atConnect: '',
    located: () => Promise.resolve(),
    server: () => server,
    heardAt: () => heardAt,
    onOpen() {},
    isReplica: true,
    onFailure: (error) => log.warn({ err: error }, 'the replica does not answer'),
  })
  const watch = watchReplica({
    primary,
    replica: bind(pool),
    log,
    onHeard: () => (heardAt = performance.now()),
  })
  const writers = recentWriters(primary, log)
  return {
    async reading(tenantId, actorId) {
      const asOf = watch.asOf()
      if (asOf === undefined || (isUuid(actorId) && (await writers.hasWritten(actorId)))) return undefined
      return { asOf, db: bind(pool, tenantId) }
    },
    noteWrite: (actorId) => writers.note(actorId),
    load: pool.load,
    async close() {
      watch.close()
      await pool.close()
    },
  }
}

function recentWriters(primary: Db, log: Pick<Log, 'warn'>) {
  /** When this process noted a write of whom last. */
  const noted = new Map<string, number>()
  /** Where a write could not be noted, nobody is answered by the replica for a while. */
  let unknownUntil = -Infinity
  const spanSeconds = OWN_WRITES_SECONDS + NOTED_EVERY_MS / 1000
  return {
    async hasWritten(actorId: string): Promise<boolean> {
      if (performance.now() < unknownUntil) return true
      const [row] = await primary.all(sql<object>`
        select from recent_writers where actor_id = ${actorId}::uuid
          and wrote_at > clock_timestamp() - make_interval(secs => ${spanSeconds}::float8)`)
      return row !== undefined
    },
    async note(actorId: string): Promise<void> {
      const now = performance.now()
      if (now - (noted.get(actorId) ?? -Infinity) < NOTED_EVERY_MS) return
      try {
        await primary.run(sql`
          insert into recent_writers as w (actor_id, wrote_at) values (${actorId}::uuid, clock_timestamp())
          on conflict (actor_id) do update set wrote_at = greatest(w.wrote_at, excluded.wrote_at)`)
        if (noted.size >= WRITERS_MAX) noted.clear()
        noted.set(actorId, now)
      } catch (error) {
        unknownUntil = now + spanSeconds * 1000
        log.warn({ err: error }, 'a write could not be noted')
      }
    },
  }
}
