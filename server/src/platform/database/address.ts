import pg from 'pg'

/** Where one server of a database is: a connection URL, or a unix socket with its credentials. */
export type DatabaseServer = Pick<
  pg.PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>

/** Where a database is. */
export interface DatabaseAddress extends DatabaseServer {
  /** Further servers of the same database. Whichever of them all takes writes is used. */
  readonly others?: readonly DatabaseServer[]
  /** The same database past a connection pooler, for what needs a session: LISTEN, advisory locks, migrations. */
  readonly direct?: DatabaseAddress
  /** Between two transactions a connection may lose its session: a pooler in transaction mode. */
  readonly losesSessions?: boolean
}

/** For what needs a session that stays. */
export const directly = (where: DatabaseAddress): DatabaseAddress => where.direct ?? where

/** The same objects at each call. */
export const serversOf = (where: DatabaseAddress): readonly DatabaseServer[] => [
  where,
  ...(where.others ?? []),
]

const PARTS =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^/?#]*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>.*))?$/s
/** The values of libpq's `target_session_attrs` that ask for the server that takes writes; others are refused. */
const ATTRIBUTES = ['any', 'primary', 'read-write']

/**
 * Reads a connection URL as libpq does (PostgreSQL manual, 34.1.1.2 and 34.1.1.3): several hosts with commas, and
 * `target_session_attrs`. Throws a sentence without the URL, which holds a password.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const { scheme, user = '', hosts = '', path = '', query = '' } = PARTS.exec(text)?.groups ?? {}
  if (scheme === undefined) throw new Error('must begin with postgresql://')
  const parameters = new URLSearchParams(query)
  const attributes = parameters.get('target_session_attrs')
  if (attributes !== null && !ATTRIBUTES.includes(attributes))
    throw new Error(
      `target_session_attrs must be read-write: the server needs a database that it can write to`,
    )
  if (parameters.has('query_timeout'))
    throw new Error('query_timeout must not be given: the server has its own limits for each kind of work')
  parameters.delete('target_session_attrs')
  const urls = hostsOf(hosts, parameters).map(({ host, more }) => {
    const all = new URLSearchParams([...parameters, ...Object.entries(more)]).toString()
    return `${scheme}${user}${host}${path}${all === '' ? '' : `?${all}`}`
  })
  const [first = text, ...others] = urls
  urls.forEach(refuseUnreadable)
  return {
    connectionString: first,
    ...(others.length > 0 && { others: others.map((connectionString) => ({ connectionString })) }),
  }
}

/** Takes `host` and `port` out of the parameters. */
function hostsOf(
  authority: string,
  parameters: URLSearchParams,
): { host: string; more: Readonly<Record<string, string>> }[] {
  const hosts = parameters.get('host')?.split(',') ?? []
  const ports = parameters.get('port')?.split(',') ?? []
  parameters.delete('host')
  parameters.delete('port')
  if (hosts.length === 0) return authority.split(',').map((host, n) => ({ host, more: portOf(ports, n) }))
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new Error('names as many ports as hosts, or one port for all')
  return hosts.map((host, n) => ({ host: authority, more: { host, ...portOf(ports, n) } }))
}

function portOf(ports: readonly string[], n: number): { port?: string } {
  const port = ports[n] ?? (ports.length === 1 ? ports[0] : undefined)
  return port === undefined ? {} : { port }
}

function refuseUnreadable(connectionString: string): void {
  try {
    void new pg.Client({ connectionString })
  } catch {
    throw new Error('is not a connection URL: postgresql://USER:PASSWORD@HOST:PORT/DATABASE')
  }
}
