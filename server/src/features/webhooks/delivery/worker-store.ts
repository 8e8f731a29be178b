import { hostname } from 'node:os'
import { sql } from 'kysely'
import type pg from 'pg'
import { ADVISORY_LOCK_CLASSES } from '#platform/database/advisory-locks.ts'
import type { Db } from '#platform/database/database.ts'

const LOCK_TIMEOUT_MS = 2_000

/** A worker without a heartbeat for this long is dead, even if its lock is held. */
const SILENT_SECONDS = 15

export interface OtherWorker {
  readonly id: number
  /** Its lock is free: the process has ended, or lost the database. */
  readonly isFree: boolean
  readonly isSilent: boolean
}

export async function register(db: Db): Promise<number> {
  const { id } = await db.one(sql<{ id: number }>`
    insert into webhook_workers (host) values (${hostname()}) returning id`)
  return id
}

/**
 * Holds the worker's lock for the lifetime of the session. Throws when another session holds it. Returns which process of
 * the database serves the session; `served` is the one that served the worker's last session.
 */
export async function lock(session: pg.ClientBase, id: number, served?: number): Promise<number | undefined> {
  // without the right to end it, the lock is waited for
  if (served !== undefined) await endFormer(session, id, served).catch(() => session.query('rollback'))
  await session.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  const { rows } = await session.query<{ pid: number }>(
    'select pg_backend_pid() as pid, pg_advisory_lock($1::int, $2::int)',
    [ADVISORY_LOCK_CLASSES.workers, id],
  )
  return rows[0]?.pid
}

/**
 * Ends the worker's last session, if it holds the lock still: where a network breaks without a word, the database keeps
 * what is gone for hours. As the user who signed in: the role of sessions may end none.
 */
async function endFormer(session: pg.ClientBase, id: number, served: number): Promise<void> {
  await session.query(`begin; set local role none;
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and classid = ${ADVISORY_LOCK_CLASSES.workers} and objid = ${id} and pid = ${served}
      and database = (select oid from pg_database where datname = current_database());
    commit`)
}

/**
 * Writes the heartbeat on the session of the lock, so that both fail together. False when other workers have removed
 * this one.
 */
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
