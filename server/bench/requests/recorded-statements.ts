import type pg from 'pg'
import type { Ctx } from '#platform/context.ts'
import type { Db, Query } from '#platform/database/database.ts'
import { API_PATH } from '#platform/http/pipeline.ts'
import { compile } from '#platform/database/sql.ts'
import type { Runtime } from '../../src/startup/runtime.ts'

const READING = /^\s*(select|with)\b(?!.*\b(insert into|delete from|update)\b)/is

const TIME_LIMIT = /^set local statement_timeout/

/** The statements with which the product reads what it answers at `path`, taken down as it runs them. */
export async function statementsOf(
  runtime: Runtime,
  tenantId: string,
  path: string,
): Promise<readonly pg.QueryConfig[]> {
  const url = new URL(path, 'http://localhost')
  const route = runtime.features
    .flatMap(({ rest }) => rest ?? [])
    .find((it) => it.method === 'GET' && API_PATH + it.path === url.pathname)
  if (!route) throw new Error(`no endpoint at ${url.pathname}`)
  const query = Object.fromEntries(url.searchParams)
  return recordedIn(runtime.contextFor(tenantId), async (ctx) => {
    const reply = await route.handle(ctx, { params: {}, query, body: undefined, isHead: false })
    const content = reply.file?.content
    if (content && typeof content === 'object' && 'resume' in content) await content.toArray()
  })
}

/** The reading statements of some work. */
export async function recordedIn(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<unknown>,
): Promise<readonly pg.QueryConfig[]> {
  const taken: pg.QueryConfig[] = []
  await work({ ...ctx, db: recording(ctx.db, taken) })
  return taken.filter(({ text }) => READING.test(text))
}

function recording(db: Db, taken: pg.QueryConfig[]): Db {
  const noting =
    <R, T>(run: (query: Query<R>) => Promise<T>) =>
    (query: Query<R>): Promise<T> => {
      taken.push(compile(query))
      return run(query)
    }
  return {
    all: (query) => noting(db.all<never>)(query as Query<never>),
    one: (query) => noting(db.one<never>)(query as Query<never>),
    maybe: (query) => noting(db.maybe<never>)(query as Query<never>),
    cached: (query) => noting(db.cached<never>)(query as Query<never>),
    // a statement that is only taken down may take as long as it likes
    run: (query) => (TIME_LIMIT.test(compile(query).text) ? Promise.resolve(0) : noting(db.run)(query)),
    about: () => recording(db, taken),
    transaction: (work) => db.transaction((inner) => work(recording(inner, taken))),
    afterCommit: db.afterCommit,
    beforeCommit: db.beforeCommit,
  }
}
