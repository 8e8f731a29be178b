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

/** The same for everybody: of the session, unless that may be another one in the next transaction. */
const SETTINGS = {
  timezone: 'UTC',
  statement_timeout: String(120_000),
  idle_in_transaction_session_timeout: String(60_000),
}

const OF_SESSION = Object.entries(SETTINGS)
  .map(([name, value]) => `set session ${name} = '${value}'`)
  .join('; ')

/** Opens nothing yet. Whatever is asked while the database is away throws DatabaseUnavailable. */
export function openDatabase(where: DatabaseAddress, options: DatabaseOptions = {}): Database {
  const { connections = CONNECTIONS, onError = ignore } = options
  const types = { getTypeParser } as pg.CustomTypesConfig
  const { open, adopt, suspect, close, ...primary } = openSessions(where, { types })
  const openPool = (): DatabasePool =>
    openDatabasePool({
      connections,
      types,
      atConnect: where.losesSessions ? '' : OF_SESSION,
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
  const framesFor = where.losesSessions ? inAnySession : inKeptSession
  const [asApp, asEngine] = [framesFor(APP_ROLE), framesFor(SYSTEM_ROLE)]
  const engines = bound({ ...shared, ...asEngine(), pool: system, tenantId: undefined })
  function notify(payloads: readonly string[]) {
    return (engines.withoutDisk ?? engines).run(notifying(payloads))
  }
  function session(): Promise<pg.Client> {
    return open().then((client) => prepared(client, onError))
  }
  const replica = openReplicaOf(options, { types, primary: engines, wake: shared.wake })
  return {
    replica,
    tenant: (tenantId) => bound({ ...shared, ...asApp(tenantId), pool: app, tenantId }),
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
      bound({ ...reads, ...(tenantId === undefined ? asEngine() : asApp(tenantId)), pool, tenantId }),
  })
}

/** Nothing is lost with a NOTIFY, for listeners poll: nobody waits for the disk. */
const notifying = (payloads: readonly string[]) =>
  sql`select pg_notify(${CHANNEL}, it) from unnest(${payloads}::text[]) it`

const openCache = () => ({ ...openRowCache(), ...openMatchCache() })

type Frame = Pick<Binding, 'begin' | 'settings' | 'commit'>

/**
 * The role and the tenant are those of the transaction, never of the session, so that a connection may be anybody's
 * the next moment. In one place, for every statement: nothing runs outside of a transaction that begins so.
 */
function framesAs(
  role: string,
  compiled: Binding['compile'],
  settings: Readonly<Record<string, string>> = {},
): (tenantId?: string) => Frame {
  const [begin, commit] = [compiled(sql`begin`), compiled(sql`commit`)]
  const ofEngines = compiled(settingLocally({ ...settings, role }))
  const ofTenant = compiled(settingLocally({ ...settings, role, 'app.tenant': '' }))
  return (tenantId) => ({
    begin,
    settings: [
      tenantId === undefined ? ofEngines : { ...ofTenant, values: [...(ofEngines.values ?? []), tenantId] },
    ],
    commit,
  })
}

/** As `set local`, in one statement, and with values apart from the text. */
const settingLocally = (settings: Readonly<Record<string, string>>) => sql`
  select ${sql.join(Object.entries(settings).map(([name, value]) => sql`set_config(${sql.lit(name)}, ${value}, true)`))}`

const inKeptSession = (role: string) => framesAs(role, compile)

/** Where the next transaction may be in another session, which knows no prepared statement and no setting. */
const inAnySession = (role: string) => framesAs(role, compileUnnamed, SETTINGS)

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
