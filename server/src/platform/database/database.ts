import { sql } from 'kysely'
import pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { openDatabasePool, type DatabasePool } from './pool.ts'
import { openSessions } from './sessions.ts'
import { bound, type Binding } from './bound-db.ts'
import type { Db } from './db.ts'
import { openMatchCache } from './cache/match-cache.ts'
import { openRowCache } from './cache/row-cache.ts'
import { openReplica, type Replica, type ReplicaOptions } from './replica/replica.ts'
import { compile, compileUnnamed } from './sql.ts'
import type { Log } from '../observability/log.ts'
import { CHANNEL, openListenNotify } from './notify/listen-notify.ts'

export type { Db, Query, TransactionEnd } from './db.ts'

export interface Database {
  /** Bound to one tenant by row-level security. */
  readonly tenant: (tenantId: string) => Db
  /** The engines' own role: sees every tenant, owns no table. */
  readonly system: Db
  /** Calls `listener` after commits that announced `topic`, in any process; see `ListenNotify.on`. */
  readonly onCommit: (topic: string, listener: (about?: string) => void) => () => void
  /** A session of its own, for advisory locks and the like; the caller ends it. */
  readonly session: () => Promise<pg.Client>
  /** Absent where the operator has set none. */
  readonly replica: Replica | undefined
  readonly pools: () => readonly PoolLoad[]
  readonly close: () => Promise<void>
}

export interface PoolLoad {
  readonly name: 'app' | 'system' | 'replica'
  readonly open: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

export interface DatabaseOptions {
  readonly connections?: number
  /** A standby that may be read. */
  readonly replica?: { readonly where: DatabaseAddress; readonly log: Pick<Log, 'warn'> } | undefined
  readonly onError?: (error: Error) => void
}

const APP_ROLE = 'rollcall_app'
const SYSTEM_ROLE = 'rollcall_system'
const CONNECTIONS = 10
const STATEMENT_TIMEOUT_MS = 120_000
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000

/** Opens nothing yet. Whatever is asked while the database is away throws DatabaseUnavailable. */
export function openDatabase(where: DatabaseAddress, options: DatabaseOptions = {}): Database {
  const { connections = CONNECTIONS, onError = ignore } = options
  const types = { getTypeParser } as pg.CustomTypesConfig
  const { open, adopt, suspect, close, ...primary } = openSessions(where, { types })
  const openPool = (): DatabasePool =>
    openDatabasePool({
      connections,
      types,
      atConnect: where.losesSessions ? '' : settingsOf('session').join('; '),
      ...primary,
      onOpen: adopt,
      onFailure(error) {
        suspect()
        onError(error)
      },
    })
  const [app, system] = [openPool(), openPool()]
  const listenNotify = openListenNotify({ notify, session })
  const compiled = where.losesSessions ? compileUnnamed : compile
  const shared = { wake: listenNotify.announce, compile: compiled, cache: openCache() }
  const beginAs = where.losesSessions ? inAnySession : inKeptSession
  const [asApp, asEngine] = [beginAs(APP_ROLE), beginAs(SYSTEM_ROLE)]
  const engines = bound({ ...shared, ...asEngine, pool: system, tenantId: undefined })
  function notify(payloads: readonly string[]) {
    return (engines.withoutDisk ?? engines).run(notifying(payloads))
  }
  function session(): Promise<pg.Client> {
    return open().then((client) => prepared(client, onError))
  }
  const replica = openReplicaOf(options, { types, primary: engines, wake: shared.wake })
  return {
    replica,
    tenant: (tenantId) => bound({ ...shared, ...ofTenant(asApp, tenantId), pool: app, tenantId }),
    system: engines,
    onCommit: listenNotify.on,
    session,
    pools: () => loadsOf({ app, system, ...(replica && { replica }) }),
    async close() {
      await listenNotify.close()
      await Promise.all([app.close(), system.close(), replica?.close()])
      close()
    },
  }
}

const loadsOf = (pools: Partial<Record<PoolLoad['name'], Pick<DatabasePool, 'load'>>>): PoolLoad[] =>
  Object.entries(pools).map(([name, pool]) => ({ name: name as PoolLoad['name'], ...pool.load() }))

async function prepared(client: pg.Client, onError: (error: Error) => void): Promise<pg.Client> {
  client.on('error', onError)
  await client.query(`set role ${SYSTEM_ROLE}; set timezone = 'UTC'`)
  return client
}

function openReplicaOf(
  { replica, connections = CONNECTIONS }: DatabaseOptions,
  { wake, ...primary }: Pick<ReplicaOptions, 'types' | 'primary'> & Pick<Binding, 'wake'>,
): Replica | undefined {
  if (!replica) return undefined
  // as if behind a pooler: what a session was told holds at the primary alone
  const reads = { wake, compile: compileUnnamed, cache: openCache() }
  const [asApp, asEngine] = [inAnySession(APP_ROLE), inAnySession(SYSTEM_ROLE)]
  return openReplica(replica.where, {
    ...primary,
    connections,
    log: replica.log,
    bind: (pool, tenantId) =>
      bound({ ...reads, ...(tenantId === undefined ? asEngine : ofTenant(asApp, tenantId)), pool, tenantId }),
  })
}

/** Nothing is lost with a NOTIFY, for listeners poll: nobody waits for the disk. */
const notifying = (payloads: readonly string[]) =>
  sql`select pg_notify(${CHANNEL}, it) from unnest(${payloads}::text[]) it`

const openCache = () => ({ ...openRowCache(), ...openMatchCache() })

type Frame = Pick<Binding, 'begin' | 'commit'>

/**
 * The role and the tenant are those of the transaction, never of the session, so that a connection may be anybody's
 * the next moment. In one place, for every statement: nothing runs outside of a transaction that begins so.
 */
const inKeptSession = (role: string): Frame => ({
  begin: [compile(sql`begin`), compile(sql`set local role ${sql.raw(role)}`)],
  commit: compile(sql`commit`),
})

/** Where the next transaction may be in another session, which knows no prepared statement and no setting. */
const inAnySession = (role: string): Frame => ({
  begin: ['begin', `set local role ${role}`, ...settingsOf('local')].map((text) => ({ text })),
  commit: { text: 'commit' },
})

/** The text names the tenant, so it is prepared anew each time. */
const ofTenant = ({ begin, commit }: Frame, tenantId: string): Frame => ({
  begin: [...begin, { text: `set local app.tenant = ${pg.escapeLiteral(tenantId)}` }],
  commit,
})

/** The same for everybody: of the session, unless that may be another one in the next transaction. */
const settingsOf = (scope: 'session' | 'local'): string[] => [
  `set ${scope} timezone = 'UTC'`,
  `set ${scope} statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  `set ${scope} idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
]

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
