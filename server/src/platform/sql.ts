import { hash } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
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

/** Text, values and a name made from the text, so that each connection prepares a statement once. */
export function compile(query: RawBuilder<unknown>): pg.QueryConfig {
  const { sql: text, parameters } = query.compile(compiler)
  return { name: hash('sha1', text, 'base64url'), text, values: [...parameters] }
}
