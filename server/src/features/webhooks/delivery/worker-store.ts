import { hostname } from 'node:os'
import { sql } from 'kysely'
import type pg from 'pg'
import { ADVISORY_LOCK_CLASSES } from '#platform/database/advisory-locks.ts'
import type { Db } from '#platform/database/database.ts'

const LOCK_TIMEOUT_MS = 2_000

/** A worker without a heartbeat for so long counts as dead, even if its lock is still held. */
const SILENT_SECONDS = 15

export interface OtherWorker {
  readonly id: number
  /** Nobody holds its lock: its process has ended, or has lost the database. */
  readonly isFree: boolean
  readonly isSilent: boolean
}

export async function register(db: Db): Promise<number> {
  const { id } = await db.one(sql<{ id: number }>`
    insert into webhook_workers (host) values (${hostname()}) returning id`)
  return id
}

/** Holds the worker's lock for as long as the session lives. Throws when another session has it. */
export async function lock(session: pg.ClientBase, id: number): Promise<void> {
  await session.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await session.query('select pg_advisory_lock($1::int, $2::int)', [ADVISORY_LOCK_CLASSES.workers, id])
}

/** False when other workers have removed this one. On the session of the lock, so that both fail together. */
export async function heartbeat(session: pg.ClientBase, id: number): Promise<boolean> {
  const { rowCount } = await session.query(
    'update webhook_workers set beat_at = clock_timestamp() where id = $1',
    [id],
  )
  return rowCount === 1
}

export function otherWorkers(db: Db, id: number): Promise<OtherWorker[]> {
  return db.all(sql<OtherWorker>`
    select id, pg_try_advisory_xact_lock(${ADVISORY_LOCK_CLASSES.workers}::int, id) as "isFree",
      beat_at < clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}) as "isSilent"
    from webhook_workers where id <> ${id}`)
}

export async function removeWorker(db: Db, id: number): Promise<void> {
  await db.run(sql`delete from webhook_workers where id = ${id}`)
}
