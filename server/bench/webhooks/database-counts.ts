import pg from 'pg'
import type { DatabaseAddress } from '#platform/database/address.ts'

/** What a database was asked, as its own extension counts it. */
export interface DatabaseCounts {
  /** Transactions that were committed. */
  readonly commits: number
  /** Begins, settings and commits included. */
  readonly statements: number
  /** Written to the log that a crash is recovered from. */
  readonly walBytes: number
  /** The slowest first, by their time within the database. */
  readonly slowest: readonly StatementShare[]
}

export interface StatementShare {
  readonly text: string
  readonly calls: number
  readonly ms: number
  readonly rows: number
  readonly walBytes: number
}

/** For a server of one's own: it loads this when it starts. */
export const COUNTING_SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=5000',
] as const

const LISTED = 12
const TEXT_MAX = 90

export async function prepareCounting(database: DatabaseAddress): Promise<void> {
  await asking(database, (client) => client.query('create extension if not exists pg_stat_statements'))
}

/** From now on; the returned function answers what came since. */
export async function countStatements(database: DatabaseAddress): Promise<() => Promise<DatabaseCounts>> {
  await asking(database, (client) => client.query('select pg_stat_statements_reset()'))
  return () => asking(database, countsOf)
}

async function countsOf(client: pg.Client): Promise<DatabaseCounts> {
  const { rows } = await client.query<StatementShare>(
    `select s.query as text, s.calls::float8 as calls, s.total_exec_time as ms, s.rows::float8 as rows,
       s.wal_bytes::float8 as "walBytes"
     from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database() order by s.total_exec_time desc`,
  )
  const sum = (value: (row: StatementShare) => number) => rows.reduce((total, row) => total + value(row), 0)
  return {
    commits: sum((row) => (/^commit\b/i.test(row.text) ? row.calls : 0)),
    statements: sum((row) => row.calls),
    walBytes: sum((row) => row.walBytes),
    slowest: rows.slice(0, LISTED).map((row) => ({ ...row, text: onOneLine(row.text) })),
  }
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, TEXT_MAX)

async function asking<T>(where: DatabaseAddress, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
