import pg from 'pg'
import { directly, serversOf, type DatabaseServer, type DatabaseAddress } from './address.ts'
import { asUnavailable, DatabaseUnavailable, inTime } from './unavailable-errors.ts'

/** How long a connection may take to open, and to its first answer. */
export const CONNECT_MS = 3_000

export interface Connected {
  readonly server: DatabaseServer
  readonly client: pg.Client
}

/**
 * A session at the server that takes writes (the primary); all servers are tried at once. Throws
 * DatabaseUnavailable when there is none at the moment.
 */
export async function connectPrimary(
  where: DatabaseAddress,
  config: pg.ClientConfig = {},
): Promise<Connected> {
  const attempts = serversOf(where).map((server) => connectTo(server, config))
  try {
    const found = await Promise.any(attempts)
    for (const attempt of attempts) void attempt.then((it) => it !== found && destroy(it.client), ignore)
    return found
  } catch (error) {
    const errors = (error as AggregateError).errors as unknown[]
    // Report a wrong password rather than that another server is unavailable.
    throw errors.find((it) => !(it instanceof DatabaseUnavailable)) ?? asUnavailable(error)
  }
}

/** In a session of its own, as the owner of the tables, past a pooler; the session ends with the work. */
export async function withOwner<T>(
  where: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { client } = await connectPrimary(directly(where))
  try {
    return await work(client)
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    destroy(client)
  }
}

/**
 * Throws DatabaseUnavailable where nothing can be written: at a standby, or where an administrator has set it so; and
 * when there is no answer after `ms`.
 */
export async function refuseReadOnly(client: pg.ClientBase, ms = CONNECT_MS): Promise<void> {
  const { rows } = await inTime(
    client.query<{ state: string }>(`select current_setting('transaction_read_only') as state`),
    ms,
  )
  if (rows[0]?.state !== 'off') throw new DatabaseUnavailable('the database server is read-only')
}

/** Closes the socket at once; `end` would wait for queries in flight. */
export function destroy(client: pg.ClientBase): void {
  ;(client as pg.Client).connection.stream.destroy()
}

async function connectTo(server: DatabaseServer, config: pg.ClientConfig): Promise<Connected> {
  const client = new pg.Client({
    ...server,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...config,
  })
  client.on('error', ignore)
  try {
    await client.connect()
    await refuseReadOnly(client)
    return { server, client }
  } catch (error) {
    destroy(client)
    throw asUnavailable(error)
  }
}

function ignore(): void {}
