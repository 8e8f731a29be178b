import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import { Refusal } from './errors.ts'
import { compile } from './sql.ts'
import { CHANNEL, openWakeUps } from './wake-ups.ts'

/** A query made with Kysely's `sql` tag; `R` is the type of one row. */
export type Query<R> = RawBuilder<R>

/** Where the database is: a connection URL, or a unix socket with its credentials. */
export type Whereabouts = Pick<
  pg.PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>

/** Runs SQL for one tenant (or, for the engines, for all). Rows carry instants as RFC 3339 strings and 64-bit integers as numbers. */
export interface Db {
  readonly all: <R>(query: Query<R>) => Promise<R[]>
  /** Exactly one row, else it throws: for rows that cannot be missing. */
  readonly one: <R>(query: Query<R>) => Promise<R>
  readonly maybe: <R>(query: Query<R>) => Promise<R | undefined>
  /** Answers how many rows were written. */
  readonly run: (query: Query<unknown>) => Promise<number>
  /** One transaction; inside another it joins the one already open. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Wakes whoever waits for `topic`, in any process, once the work is committed; at once outside a transaction. */
  readonly afterCommit: (topic: string) => void
  /** Inside a transaction: does `work` once, as the last thing before the commit, with all that it was given. */
  readonly beforeCommit: <T>(work: LastWork<T>, given: T) => void
}

/** Told apart by identity: a function of a module, not one made for the occasion. */
export type LastWork<T> = (db: Db, given: readonly T[]) => Promise<void>

export interface Database {
  /** Bound to one tenant by row-level security. */
  readonly tenant: (tenantId: string) => Db
  /** The engines' own role: sees every tenant, owns no table. */
  readonly system: Db
  /** Calls `listener` after commits that announced `topic`, in any process; see `WakeUps.on`. */
  readonly onCommit: (topic: string, listener: (about?: string) => void) => () => void
  /** A session of its own, for advisory locks and the like; the caller ends it. */
  readonly session: () => Promise<pg.Client>
  readonly pools: () => readonly PoolLoad[]
  readonly close: () => Promise<void>
}

export interface PoolLoad {
  readonly name: 'app' | 'system'
  readonly open: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

export interface DatabaseOptions {
  readonly connections?: number
  readonly onError?: (error: Error) => void
}

const APP_ROLE = 'rollcall_app'
const SYSTEM_ROLE = 'rollcall_system'
const CONNECTIONS = 10
const STATEMENT_TIMEOUT_MS = 120_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

export function openDatabase(where: Whereabouts, options: DatabaseOptions = {}): Database {
  const app = openPool(where, APP_ROLE, options)
  const system = openPool(where, SYSTEM_ROLE, options)
  const session = () => openSession(where, options)
  const wakeUps = openWakeUps({ notify, session })
  const engines = pooled(system, noBinding, wakeUps.announce)
  function notify(payloads: readonly string[]) {
    return engines.run(sql`select pg_notify(${CHANNEL}, it) from unnest(${payloads}::text[]) it`)
  }
  return {
    tenant: (tenantId) => pooled(app, (client) => bind(client, tenantId), wakeUps.announce),
    system: engines,
    onCommit: wakeUps.on,
    session,
    pools: () => [loadOf('app', app), loadOf('system', system)],
    async close() {
      await wakeUps.close()
      await Promise.all([app.end(), system.end()])
    },
  }
}

async function openSession(where: Whereabouts, options: DatabaseOptions): Promise<pg.Client> {
  const client = new pg.Client({ ...where, types: { getTypeParser }, keepAlive: true })
  client.on('error', options.onError ?? ignore)
  await client.connect()
  await client.query(`set role ${SYSTEM_ROLE}`)
  return client
}

type Binding = (client: pg.ClientBase) => Promise<unknown>
type Wake = (topics: Iterable<string>) => void
type BoundClient = pg.ClientBase & { boundTenant?: string }

const noBinding: Binding = () => Promise.resolve()

const loadOf = (name: PoolLoad['name'], pool: pg.Pool): PoolLoad => ({
  name,
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})

function openPool(where: Whereabouts, role: string, options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    ...where,
    max: options.connections ?? CONNECTIONS,
    pipeline: true,
    types: { getTypeParser },
    keepAlive: true,
    // the pool awaits it, though its type says void
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client: pg.ClientBase) => {
      await client.query(
        `set role ${role}; set statement_timeout = ${STATEMENT_TIMEOUT_MS};` +
          ` set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}; set timezone = 'UTC'`,
      )
    },
  } as pg.PoolConfig)
  // The pool listens only while a connection is idle; one that dies in use, between two queries, is heard here.
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('error', options.onError ?? ignore)
  return pool
}

/**
 * The tenant of a connection is session state, set before anything else is sent on it and remembered, so that
 * the next request of the same tenant needs no further round trip.
 */
function bind(client: BoundClient, tenantId: string): Promise<unknown> {
  if (client.boundTenant === tenantId) return Promise.resolve()
  client.boundTenant = tenantId
  return client.query({
    name: 'bind',
    text: `select set_config('app.tenant', $1, false)`,
    values: [tenantId],
  })
}

function pooled(pool: pg.Pool, binding: Binding, wake: Wake): Db {
  const onClient = async <T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    const [bound, done] = await Promise.allSettled([binding(client), work(client)])
    const failure = bound.status === 'rejected' ? bound : done
    client.release(failure.status === 'rejected' && !isServerError(failure.reason))
    if (failure.status === 'rejected') throw failure.reason
    return (done as PromiseFulfilledResult<T>).value
  }
  return {
    ...queries((text) => onClient((client) => client.query(text))),
    transaction: (work) => onClient((client) => inTransaction(client, work, wake)),
    afterCommit: (topic) => wake([topic]),
    beforeCommit() {
      throw new Error('there is no transaction')
    },
  }
}

/** A connection on which the server refused something is sound; after any other error its state is unknown. */
function isServerError(error: unknown): boolean {
  return error instanceof pg.DatabaseError || error instanceof Refusal
}

async function inTransaction<T>(client: pg.ClientBase, work: (db: Db) => Promise<T>, wake: Wake): Promise<T> {
  const topics = new Set<string>()
  const last = new Map<LastWork<never>, unknown[]>()
  const db: Db = {
    ...queries((text) => client.query(text)),
    transaction: (inner) => inner(db),
    afterCommit: (topic) => void topics.add(topic),
    beforeCommit: (each, given) => void last.set(each, [...(last.get(each) ?? []), given]),
  }
  await client.query('begin')
  let result: T
  try {
    result = await work(db)
    for (const [each, given] of last) await each(db, given as never[])
  } catch (error) {
    await client.query('rollback').catch(ignore)
    throw error
  }
  await client.query('commit')
  wake(topics)
  return result
}

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>

function queries(send: Send): Pick<Db, 'all' | 'one' | 'maybe' | 'run'> {
  const rows = async <R>(query: Query<R>): Promise<R[]> => (await send(compile(query))).rows as R[]
  return {
    all: rows,
    async one<R>(query: Query<R>) {
      const found = await rows(query)
      if (found.length !== 1) throw new Error(`expected one row, got ${found.length}`)
      return found[0] as R
    },
    async maybe<R>(query: Query<R>) {
      const found = await rows(query)
      if (found.length > 1) throw new Error(`expected at most one row, got ${found.length}`)
      return found[0]
    },
    run: async (query) => (await send(compile(query))).rowCount ?? 0,
  }
}

const BIGINT = 20
const BIGINT_ARRAY = 1016
const TIMESTAMPTZ = 1184
const DATE = 1082

/** `2026-11-21 09:30:00.25+00` (the session is in UTC) becomes `2026-11-21T09:30:00.25Z`. */
const toRfc3339 = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`

/** `{1,2}`; nulls are not expected in it. */
const toNumbers = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === BIGINT) return Number
  if (oid === BIGINT_ARRAY) return toNumbers
  if (oid === TIMESTAMPTZ) return toRfc3339
  if (oid === DATE) return String
  return pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown
}

function ignore(): void {}
