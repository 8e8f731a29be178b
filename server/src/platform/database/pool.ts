import pg from 'pg'
import type { DatabaseServer } from './address.ts'
import { asUnavailable, DatabaseUnavailable } from './unavailable-errors.ts'
import { Refusal } from '../errors.ts'
import { CONNECT_MS, destroy, refuseReadOnly } from './connect-primary.ts'
import { openPipeline, type Pipeline } from './pipeline/pipeline.ts'
import type { Statement } from './pipeline/sent-statement.ts'

/** Connections that are lent for one transaction each. */
export interface DatabasePool {
  /**
   * Begins a transaction with `begin` and does `work` in it, which ends it. Nothing waits for the answer to `begin`: what
   * `work` sends at once goes with it, in one message, which may be the transaction. Throws DatabaseUnavailable when no connection is to be had or none answers.
   */
  readonly lend: <T>(
    begin: readonly Statement[],
    work: (connection: LentConnection) => Promise<T>,
  ) => Promise<T>
  readonly load: () => Readonly<Record<'open' | 'idle' | 'waiting', number>>
  readonly close: () => Promise<void>
}

export interface LentConnection extends Pipeline {
  /** Closes it at once, whatever it waits for. */
  readonly destroy: () => void
}

export interface DatabasePoolOptions {
  readonly connections: number
  readonly types: pg.CustomTypesConfig
  /** Statements for each new connection; none if empty. */
  readonly atConnect: string
  /** Resolves when `server` is known. */
  readonly located: () => Promise<unknown>
  /** Where the next connection goes. */
  readonly server: () => DatabaseServer
  /** When the database answered anybody last; of the clock of `performance.now`. */
  readonly heardAt: () => number
  readonly onOpen: (client: pg.ClientBase) => void
  /** At a server that takes no writes. */
  readonly isReplica?: true
  /** A connection, or the attempt to open one, has failed. */
  readonly onFailure: (error: DatabaseUnavailable) => void
}

/** A database that has answered nobody for so long is not waited for. */
const SILENCE_MS = 2_000
/** For one connection to begin a transaction, while others are answered. */
const BEGIN_MS = 5_000
/** For a connection to become free, while the database works: it has more to do than it can. */
const BUSY_MS = 30_000
const LOOK_EVERY_MS = 200
/** Of one connection: node and database keep each for as long as it lasts, and conditions are texts without end. */
const PREPARED_MAX = 2_000

export function openDatabasePool(options: DatabasePoolOptions): DatabasePool {
  const pool = poolOf(options)
  const pipelineOf = openPipelines()
  let answeredAt = -Infinity
  const heardAt = (): number => Math.max(answeredAt, options.heardAt())
  const waits = openWaits(heardAt)
  const failed = (error: unknown): never => {
    if (error instanceof DatabaseUnavailable) options.onFailure(error)
    throw error
  }
  return {
    async lend(begin, work) {
      const since = performance.now()
      const connecting = options.located().then(() => connect(pool, heardAt))
      const client = await freeConnection(connecting, waits(connecting, { since, mostMs: BUSY_MS })).catch(
        failed,
      )
      const connection = { ...pipelineOf(client), destroy: () => destroy(client) }
      const begun = waits(sendBeginning(connection, begin), { since, mostMs: BEGIN_MS }).then(
        () => (answeredAt = performance.now()),
        (error: unknown) => {
          connection.destroy()
          throw asUnavailable(error)
        },
      )
      const [beginning, done] = await Promise.allSettled([begun, work(connection)])
      const isUsable =
        beginning.status === 'fulfilled' && (done.status === 'fulfilled' || isSound(done.reason))
      client.release(!isUsable || connection.preparedCount() > PREPARED_MAX)
      return done.status === 'rejected' ? failed(done.reason) : done.value
    },
    load: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

/** Its answer comes at once, however long what follows takes: a connection that is half open is found by that. */
async function sendBeginning({ send }: Pipeline, begin: readonly Statement[]): Promise<void> {
  await Promise.all(begin.map((it, n) => send({ ...it, isFlushed: n === begin.length - 1 })))
}

function openPipelines(): (client: pg.ClientBase) => Pipeline {
  const pipelines = new WeakMap<pg.ClientBase, Pipeline>()
  return (client) => {
    const pipeline = pipelines.get(client) ?? openPipeline(client)
    pipelines.set(client, pipeline)
    return pipeline
  }
}

async function freeConnection(
  connecting: Promise<pg.PoolClient>,
  inTime: Promise<pg.PoolClient>,
): Promise<pg.PoolClient> {
  try {
    return await inTime
  } catch (error) {
    // nobody waits for it any more
    void connecting.then((client) => client.release(), ignore)
    throw asUnavailable(error)
  }
}

/** On a machine that has more to do than it can, a new connection may come too late while the others are answered. */
async function connect(pool: pg.Pool, heardAt: () => number): Promise<pg.PoolClient> {
  const start = performance.now()
  for (let begun = start; ; begun = performance.now()) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isLate(error) || heardAt() < begun || begun - start > BUSY_MS) throw error
    }
  }
}

/** As pg says it when `connectionTimeoutMillis` have passed. */
const isLate = (error: unknown): boolean => error instanceof Error && error.message === 'timeout expired'

/** After a refusal of the server or of a verb the connection is as before; after any other error its state is unknown. */
function isSound(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code !== OTHER_COLUMNS
  return error instanceof Refusal
}

/** `cached plan must not change result type`: the connection would refuse the statement again each time. */
const OTHER_COLUMNS = '0A000'

interface Wait {
  /** What the caller does began then. */
  readonly since: number
  readonly start: number
  readonly mostMs: number
  readonly giveUp: () => void
}

type Waits = <T>(answer: Promise<T>, wait: Pick<Wait, 'since' | 'mostMs'>) => Promise<T>

/**
 * Rejects when the database has been silent for SILENCE_MS, or after `mostMs`. A process that was busy for longer
 * reads what has arrived meanwhile before it judges: timers run before sockets are read. One timer for all who wait.
 */
function openWaits(heardAt: () => number): Waits {
  const waiting = new Set<Wait>()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const now = performance.now()
    for (const { since, start, mostMs, giveUp } of waiting)
      if (now - start > mostMs || now - Math.max(since, heardAt()) > SILENCE_MS) giveUp()
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return async (answer, { since, mostMs }) => {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const giveUp = (): void => reject(new DatabaseUnavailable('the database does not answer'))
    const wait = { since, start: performance.now(), mostMs, giveUp }
    waiting.add(wait)
    timer = timer?.ref() ?? setInterval(() => setImmediate(() => setImmediate(look)), LOOK_EVERY_MS)
    try {
      return await Promise.race([answer, silence])
    } finally {
      waiting.delete(wait)
      if (waiting.size === 0) timer?.unref()
    }
  }
}

function poolOf(options: DatabasePoolOptions): pg.Pool {
  const { connections, types, atConnect, server, onOpen, onFailure } = options
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, ...server(), connectionTimeoutMillis: CONNECT_MS })
    }
  }
  const pool = new pg.Pool({
    max: connections,
    pipeline: true,
    types,
    keepAlive: true,
    // pg passes its options, although its type declares no parameter
    Client: Client as unknown as new () => pg.ClientBase,
    // pg awaits the result, although its type declares void
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: async (client: pg.ClientBase) => {
      onOpen(client)
      await Promise.all([options.isReplica || refuseReadOnly(client), client.query(atConnect)])
    },
  })
  // pg handles errors of idle connections only; without this listener a connection that fails while it is checked out,
  // between two queries, would end the process.
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('error', (error) =>
    onFailure(new DatabaseUnavailable('a connection to the database was lost', { cause: error })),
  )
  return pool
}

function ignore(): void {}
