import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import type { DatabaseAddress } from '../database/address.ts'
import type { Log } from '../observability/log.ts'
import { prepareClusterDirectory, removeSocketFolder, type ClusterDirectory } from './cluster-directory.ts'
import { isPostmasterAlive, SOCKET_PORT, spawnPostmaster, stopPostmaster } from './postmaster.ts'

/** A PostgreSQL of our own below the data directory: unix socket only, checksums, no rights beyond its folder. */
export interface EmbeddedPostgres {
  /** The application's database, as its owner. */
  readonly where: DatabaseAddress
  /** The cluster's superuser: for set-up and tests. */
  readonly superuser: DatabaseAddress
  /** The folder of its files. */
  readonly cluster: string
  /** From now on restarts the server whenever it dies, and logs it. */
  readonly supervise: (log: Log) => void
  /** Stops the server, unless another process still uses it. */
  readonly release: () => Promise<void>
}

const START_TIMEOUT_MS = 60_000
const POLL_MS = 20
const OWNER = 'rollcall'

/** Starts the cluster of `dataDir`, or joins it when it runs already; makes it when there is none. */
export async function startPostgres(
  dataDir: string,
  settings: readonly string[] = [],
): Promise<EmbeddedPostgres> {
  const place = await prepareClusterDirectory(dataDir)
  const credentials = { host: place.socketFolder, port: SOCKET_PORT, password: place.password }
  const superuser = { ...credentials, user: 'postgres', database: 'postgres' }
  const leaving = new AbortController()
  const again = (): Promise<pg.Client> => join(place, settings, superuser, leaving.signal)
  let anchor = await again()
  let rejoining: Promise<void> | undefined
  await ensureDatabase(anchor, place.password)
  return {
    superuser,
    cluster: place.cluster,
    where: { ...credentials, user: OWNER, database: OWNER },
    supervise(log) {
      const watch = (): void => void anchor.once('end', () => void (rejoining = rejoin()))
      const rejoin = async (): Promise<void> => {
        while (!leaving.signal.aborted) {
          try {
            anchor = await again()
            log.warn('the embedded PostgreSQL had died; it runs again')
            return watch()
          } catch (error) {
            if (!leaving.signal.aborted) log.error({ err: error }, 'the embedded PostgreSQL does not start')
          }
        }
      }
      watch()
    },
    async release() {
      leaving.abort()
      await rejoining
      const client = (await letGo(anchor)) ?? (await connect(superuser))
      if (client) await stopIfUnused(client, place)
    },
  }
}

/**
 * A session that marks the cluster as in use for as long as it lives. A server that is just being stopped by its
 * last user keeps us waiting for the lock and then ends our session: then it is started again.
 */
async function join(
  place: ClusterDirectory,
  settings: readonly string[],
  superuser: DatabaseAddress,
  signal: AbortSignal,
): Promise<pg.Client> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    signal.throwIfAborted()
    const anchor = await connect(superuser)
    if (anchor && (await holdShared(anchor)) && (await wakeCheckpointer(anchor))) return anchor
    if (Date.now() > deadline) throw new Error(`PostgreSQL does not answer; see ${place.log}`)
    if (!(await isPostmasterAlive(place.cluster))) await spawnPostmaster(place, settings)
    await sleep(POLL_MS)
  }
}

/** Undefined while the server is down, starting or stopping; throws when it refuses us. */
async function connect(where: DatabaseAddress): Promise<pg.Client | undefined> {
  const client = new pg.Client({ ...where, application_name: 'rollcall anchor' })
  client.on('error', ignore)
  try {
    await client.connect()
    return client
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) throw error
    return undefined
  }
}

const holdShared = (anchor: pg.Client): Promise<boolean> =>
  succeeded(anchor, 'select pg_advisory_lock_shared($1)', [ADVISORY_LOCKS.embeddedServer])

/**
 * The checkpointer is started while the log is still played, when it does not heed `archive_timeout`, and then sleeps for as long as
 * `checkpoint_timeout` says: what is written after a start would be archived that late.
 */
const wakeCheckpointer = (anchor: pg.Client): Promise<boolean> =>
  succeeded(anchor, `select pg_reload_conf() where current_setting('archive_timeout') <> '0'`)

const succeeded = (client: pg.Client, statement: string, values: readonly number[] = []): Promise<boolean> =>
  client.query(statement, [...values]).then(
    () => true,
    () => false,
  )

/** The owner of the application's database is no superuser, just as on a database that an administrator gave us. */
async function ensureDatabase(client: pg.Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [OWNER])
  if (rowCount) return
  await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.embeddedDatabase])
  const role = await client.query('select from pg_roles where rolname = $1', [OWNER])
  if (!role.rowCount) await client.query(`create role ${OWNER} login createrole password '${password}'`)
  const again = await client.query('select from pg_database where datname = $1', [OWNER])
  if (!again.rowCount) await client.query(`create database ${OWNER} owner ${OWNER}`)
  await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.embeddedDatabase])
}

/** Unlocked by a statement: a session that is only ended keeps its lock until the server has noticed. */
const letGo = (anchor: pg.Client): Promise<pg.Client | undefined> =>
  anchor.query('select pg_advisory_unlock_shared($1)', [ADVISORY_LOCKS.embeddedServer]).then(
    () => anchor,
    () => undefined,
  )

/** The last process that uses the cluster stops the postmaster: a server and commands may share it in any order. */
async function stopIfUnused(client: pg.Client, place: ClusterDirectory): Promise<void> {
  // a session that ends meanwhile is ended by the last user, who is stopping the server
  const isLast = await client
    .query<{ is_last: boolean }>('select pg_try_advisory_lock($1) as is_last', [
      ADVISORY_LOCKS.embeddedServer,
    ])
    .then(
      ({ rows }) => rows[0]?.is_last ?? false,
      () => false,
    )
  if (isLast) await stopPostmaster(place.cluster, START_TIMEOUT_MS)
  await client.end().catch(ignore)
  if (isLast) await removeSocketFolder(place)
}

function ignore(): void {}
