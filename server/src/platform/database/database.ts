import { sql, type RawBuilder } from 'kysely'
import pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { openDatabasePool, type DatabasePool } from './pool.ts'
import { asUnavailable, DatabaseUnavailable, inTime } from './unavailable-errors.ts'
import { destroy } from './connect-primary.ts'
import { openSessions } from './sessions.ts'
import { rememberRows, type RememberedRows } from './remembered-rows.ts'
import { compile, compileUnnamed } from './sql.ts'
import { mayWrite, replaceVersion } from './tenant-version.ts'
import { CHANNEL, openListenNotify } from './listen-notify.ts'

/** A query made with Kysely's `sql` tag; `R` is the type of one row. */
export type Query<R> = RawBuilder<R>

/** Runs SQL for one tenant (or, for the engines, for all). Rows carry instants as RFC 3339 strings and 64-bit integers as numbers. */
export interface Db {
  readonly all: <R>(query: Query<R>) => Promise<R[]>
  /** Exactly one row, else it throws: for rows that cannot be missing. */
  readonly one: <R>(query: Query<R>) => Promise<R>
  readonly maybe: <R>(query: Query<R>) => Promise<R | undefined>
  /**
   * As `all`, but rows that the same query answered before are answered again as long as nothing of the tenant was
   * changed since. The query reads tables of the tenant alone and asks no clock. For what takes long to work out.
   */
  readonly unchanged: <R>(query: Query<R>) => Promise<readonly R[]>
  /** Answers how many rows were written. */
  readonly run: (query: Query<unknown>) => Promise<number>
  /** One transaction; inside another it joins the one already open. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Wakes whoever waits for `topic`, in any process, once the work is committed; at once outside a transaction. */
  readonly afterCommit: (topic: string) => void
  /**
   * Inside a transaction: runs `work` once, last before the commit, with all items that were given to it. Several works
   * run in the order of their names, so that locks which they take cannot cross.
   */
  readonly beforeCommit: <T>(work: LastWork<T>, given: T) => void
  /** Of who is limited to some subjects (limited-db.ts): the same without the limit. */
  readonly whole?: Db
  /** The query as the limit has it; for statements that hold it as a part. */
  readonly asSeen?: <R>(query: Query<R>) => Promise<Query<R>>
}

/** Compared by identity, so it must be a function at module level, not a closure. */
export type LastWork<T> = (db: Db, given: readonly T[]) => Promise<void>

export interface Database {
  /** Bound to one tenant by row-level security. */
  readonly tenant: (tenantId: string) => Db
  /** The engines' own role: sees every tenant, owns no table. */
  readonly system: Db
  /** Calls `listener` after commits that announced `topic`, in any process; see `ListenNotify.on`. */
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
/** With the two seconds in which a silent database is given up, an answer comes within ten. */
const COMMIT_MS = 7_000

/** Opens nothing yet. Whatever is asked while the database is away throws DatabaseUnavailable. */
export function openDatabase(where: DatabaseAddress, options: DatabaseOptions = {}): Database {
  const { connections = CONNECTIONS, onError = ignore } = options
  const types = { getTypeParser } as pg.CustomTypesConfig
  const { open, adopt, suspect, close, ...primary } = openSessions(where, { types })
  const openPool = (): DatabasePool =>
    openDatabasePool({
      connections,
      types,
      atConnect: where.losesSessions ? '' : settingsOf('session'),
      ...primary,
      onOpen: adopt,
      onFailure(error) {
        suspect()
        onError(error)
      },
    })
  const [app, system] = [openPool(), openPool()]
  const listenNotify = openListenNotify({ notify, session })
  const [compiled, settings] = where.losesSessions
    ? [compileUnnamed, `; ${settingsOf('local')}`]
    : [compile, '']
  const shared = { wake: listenNotify.announce, compile: compiled, remembered: rememberRows() }
  const bind = (pool: DatabasePool, begin: string, tenantId?: string): Db =>
    bound({ pool, begin: begin + settings, tenantId, ...shared })
  const engines = bind(system, beginAs(SYSTEM_ROLE))
  function notify(payloads: readonly string[]) {
    return engines.run(sql`select pg_notify(${CHANNEL}, it) from unnest(${payloads}::text[]) it`)
  }
  async function session(): Promise<pg.Client> {
    const client = await open()
    client.on('error', onError)
    await client.query(`set role ${SYSTEM_ROLE}; set timezone = 'UTC'`)
    return client
  }
  return {
    tenant: (tenantId) => bind(app, beginAs(APP_ROLE, tenantId), tenantId),
    system: engines,
    onCommit: listenNotify.on,
    session,
    pools: () => [
      { name: 'app', ...app.load() },
      { name: 'system', ...system.load() },
    ],
    async close() {
      await listenNotify.close()
      await Promise.all([app.close(), system.close()])
      close()
    },
  }
}

/**
 * The role and the tenant are those of the transaction, never of the session, so that a connection may be anybody's
 * the next moment. In one place, for every statement: nothing runs outside of a transaction that begins so.
 */
function beginAs(role: string, tenantId?: string): string {
  const tenant = tenantId === undefined ? '' : `; set local app.tenant = ${pg.escapeLiteral(tenantId)}`
  return `begin; set local role ${role}${tenant}`
}

/** The same for everybody: of the session, unless that may be another one in the next transaction. */
const settingsOf = (scope: 'session' | 'local'): string =>
  `set ${scope} timezone = 'UTC'; set ${scope} statement_timeout = ${STATEMENT_TIMEOUT_MS};` +
  ` set ${scope} idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`

interface Binding {
  readonly pool: DatabasePool
  /** What begins each transaction. */
  readonly begin: string
  /** Undefined: the engines, which serve all. */
  readonly tenantId: string | undefined
  readonly wake: (topics: Iterable<string>) => void
  readonly compile: typeof compile
  readonly remembered: RememberedRows
}

function bound(binding: Binding): Db {
  const { pool, begin, wake, compile, tenantId, remembered } = binding
  const statements = queries(compile, (query) =>
    pool.lend(begin, (client) => inOneFlight(client, query, lastStatement(binding, mayWrite(query.text)))),
  )
  return {
    ...statements,
    unchanged: (query) =>
      tenantId === undefined
        ? statements.all(query)
        : remembered.rows(tenantId, query, { all: statements.all, isClean: () => true }),
    transaction: (work) => pool.lend(begin, (client) => inTransaction(client, binding, work)),
    afterCommit: (topic) => wake([topic]),
    beforeCommit() {
      throw new Error('there is no transaction')
    },
  }
}

/** The statement and its commit, without waiting between them. */
async function inOneFlight(
  client: pg.ClientBase,
  query: pg.QueryConfig,
  last: pg.QueryConfig | undefined,
): Promise<pg.QueryResult> {
  const answered = client.query(query)
  const committing = commit(client, last)
  const inLimit = answered.then(
    () => limited(client, committing),
    () => committing,
  )
  const [done, committed] = await Promise.allSettled([answered, inLimit])
  const failure = done.status === 'rejected' ? done : committed
  if (failure.status === 'rejected') throw asUnavailable(failure.reason, !READS.test(query.text))
  return (done as PromiseFulfilledResult<pg.QueryResult>).value
}

/** The last statement before the commit of a transaction that may have written. */
const lastStatement = ({ tenantId, compile }: Binding, hasWritten: boolean): pg.QueryConfig | undefined =>
  tenantId !== undefined && hasWritten ? compile(replaceVersion(tenantId)) : undefined

/** Sends both at once. The commit of a transaction whose last statement failed says nothing of it. */
const commit = (client: pg.ClientBase, last: pg.QueryConfig | undefined): Promise<unknown> =>
  Promise.all([last && client.query(last), client.query('commit')])

/** A commit waits for a synchronous standby as long as that is away, and nobody knows how long that is. */
function limited<T>(client: pg.ClientBase, committing: Promise<T>): Promise<T> {
  return inTime(committing, COMMIT_MS).catch((error: unknown) => {
    if (error instanceof DatabaseUnavailable) destroy(client)
    throw error
  })
}

const READS = /^\s*select\b/i

async function inTransaction<T>(
  client: pg.ClientBase,
  binding: Binding,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const { wake, compile, tenantId, remembered } = binding
  const topics = new Set<string>()
  const last = new Map<LastWork<never>, unknown[]>()
  let hasWritten = false
  const statements = queries(compile, (query) => {
    hasWritten ||= mayWrite(query.text)
    return client.query(query).catch(rethrow)
  })
  const db: Db = {
    ...statements,
    // its own changes have no version before it commits
    unchanged: (query) =>
      tenantId === undefined || hasWritten
        ? statements.all(query)
        : remembered.rows(tenantId, query, { all: statements.all, isClean: () => !hasWritten }),
    transaction: (inner) => inner(db),
    afterCommit: (topic) => void topics.add(topic),
    beforeCommit: (each, given) => void last.set(each, [...(last.get(each) ?? []), given]),
  }
  let result: T
  try {
    result = await work(db)
    // in one order everywhere, for each may take a lock
    const inOrder = [...last].sort(([a], [b]) => (a.name < b.name ? -1 : 1))
    for (const [each, given] of inOrder) await each(db, given as never[])
  } catch (error) {
    await client.query('rollback').catch(ignore)
    throw error
  }
  await limited(client, commit(client, lastStatement(binding, hasWritten))).catch((error: unknown) => {
    throw asUnavailable(error, true)
  })
  wake(topics)
  return result
}

function rethrow(error: unknown): never {
  throw asUnavailable(error)
}

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>

function queries(compile: Binding['compile'], send: Send): Pick<Db, 'all' | 'one' | 'maybe' | 'run'> {
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
