import { hash } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely'
import type pg from 'pg'

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** When what a transaction tells of happened: in whole milliseconds, which a Date holds exactly. */
export const transactionInstant = sql<Date>`date_trunc('milliseconds', now())`

/** Text, values and a name made from the text, so that each connection prepares a statement once. */
export function compile(query: RawBuilder<unknown>): pg.QueryConfig {
  const { text, values } = compileUnnamed(query)
  return { name: hash('sha1', text, 'base64url'), text, values: values as unknown[] }
}

/** For connections that may have another session behind them the next time, which knows no prepared statement. */
export function compileUnnamed(query: RawBuilder<unknown>): pg.QueryConfig {
  const { sql: text, parameters } = query.compile(compiler)
  return { text, values: [...parameters] }
}
