import type pg from 'pg'
import { directly, serversOf, type DatabaseServer, type DatabaseAddress } from './address.ts'
import { watchDatabase, type DatabaseWatch } from './failover-detection.ts'
import { connectPrimary, destroy } from './connect-primary.ts'

/** Every connection of this process to one database, so that all of them end when their server is lost. */
export interface DatabaseSessions {
  /** Resolves once it is known which server takes writes; at once where there is only one. */
  readonly located: () => Promise<unknown>
  /** Where the pools' next connection goes. */
  readonly server: () => DatabaseServer
  /** When the database answered last; of the clock of `performance.now`. */
  readonly heardAt: () => number
  /** A connection that somebody else has opened. */
  readonly adopt: (client: pg.ClientBase) => void
  /** A session of the caller's, past any pooler. Throws DatabaseUnavailable. */
  readonly open: () => Promise<pg.Client>
  /** To look at the server now: something of it has failed. */
  readonly suspect: () => void
  readonly close: () => void
}

/** The watch begins with the first connection. */
export function openSessions(where: DatabaseAddress, config: pg.ClientConfig): DatabaseSessions {
  const open = new Set<pg.ClientBase>()
  let primary = serversOf(where)[0] ?? where
  let watch: DatabaseWatch | undefined
  const { promise: located, resolve: locate } = Promise.withResolvers<void>()
  if (where.direct || serversOf(where).length === 1) locate()

  const adopt = (client: pg.ClientBase): void => {
    open.add(client)
    client.once('end', () => open.delete(client))
  }
  const connect = async () => {
    const found = await connectPrimary(directly(where), config)
    if (!where.direct) primary = found.server
    locate()
    return found
  }
  const begin = (): DatabaseWatch =>
    (watch ??= watchDatabase({ connect, onLost: () => open.forEach((client) => destroy(client)) }))
  return {
    located() {
      begin()
      return located
    },
    server: () => primary,
    heardAt: () => begin().heardAt(),
    adopt,
    async open() {
      const { client } = await connect()
      adopt(client)
      return client
    },
    suspect: () => watch?.suspect(),
    close: () => watch?.close(),
  }
}
