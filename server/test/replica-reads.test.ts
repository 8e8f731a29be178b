import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { fromReplica, type Ctx } from '#platform/context.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import type { Caller } from './support/http/api-client.ts'
import { addressIn, browserOf, newPerson } from './support/http/browser-session.ts'
import { MIGRATIONS } from './support/database/test-database.ts'
import { testApp, type TestApp } from './support/app/test-app.ts'
import { OLDEST, systemPostgres, type SystemPostgres } from './support/database/system-postgres.ts'
import { needs } from './support/needs.ts'
import { until } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 120_000 }
/** `READ_ROUNDS=10000 npx vitest run --root server test/replica-reads` takes some minutes. */
const ROUNDS = Number(process.env['READ_ROUNDS'] ?? 40)
const ROUND_MS = 1_000

interface Pair {
  readonly primary: SystemPostgres
  readonly standby: SystemPostgres
  readonly app: TestApp
}

async function pair(): Promise<Pair> {
  const primary = await systemPostgres()
  await migrate(primary.where, MIGRATIONS)
  const standby = await primary.standby()
  const app = await testApp({ where: primary.where, replica: standby.where })
  await until(() => app.runtime.database.replica?.reading(NOBODY, NOBODY))
  return { primary, standby, app }
}

const NOBODY = '00000000-0000-7000-8000-000000000000'
const AS_OF = 'x-data-as-of'

const add = (api: Caller, name: string) => api.post('/assets', { name })

async function exported(api: Caller): Promise<{ names: string[]; asOf: string | undefined }> {
  const { text, headers } = await api.get('/assets/export?format=csv')
  const [, ...rows] = text.trimEnd().split('\n')
  return { names: rows.map((row) => row.split(',')[1] ?? '').toSorted(), asOf: headers[AS_OF] }
}

const hasOwnRead = (ctx: Ctx): Promise<'replica' | 'primary'> =>
  fromReplica(ctx, async (_, asOf) => (asOf ? 'replica' : 'primary'))

needs('root', OLDEST)('reads at a standby', () => {
  test(
    'exports, counts and facets are of a moment before, and never without what their caller wrote',
    LONG,
    async () => {
      const { standby, app } = await pair()
      const ctx = await app.newTenant()
      const [writer, reader] = [app.as(await app.key(ctx)), app.as(await app.key(ctx))]
      await add(writer, 'first')
      await until(async () => (await exported(reader)).names.length === 1)
      await standby.ask('select pg_wal_replay_pause()')
      await add(writer, 'second')
      expect((await exported(writer)).names).toEqual(['first', 'second'])
      const late = await exported(reader)
      expect(late.names).toEqual(['first'])
      expect(Date.parse(late.asOf ?? '')).toBeLessThan(Date.now())

      const browser = await browserOf(app, await newPerson(app, ctx))
      const { body, headers } = await browser.send<object>('POST', await addressIn(ctx, '/graphql'), {
        query: '{ overview { total } facets(fields: ["type"]) { field } }',
      })
      expect(body).toMatchObject({ data: { overview: { total: expect.any(Number) as number } } })
      expect(headers[AS_OF]).toMatch(/^\d{4}-.*Z$/)

      // older than is allowed, it is asked no more
      await until(async () => (await exported(reader)).names.length === 2)
      expect((await reader.get('/assets')).headers[AS_OF]).toBe(undefined)
    },
  )

  test(
    `${ROUNDS} times, who writes sees it in the next read`,
    { timeout: LONG.timeout + ROUNDS * ROUND_MS },
    async () => {
      const { app } = await pair()
      const ctx = await app.newTenant()
      const api = app.as(await app.key(ctx))
      let seen = 0
      for (let n = 0; n < ROUNDS; n += 2) {
        const { body } = await api.post<{ id: string }>('/assets', { name: `made ${n}` })
        if ((await exported(api)).names[0] === `made ${n}`) seen += 1
        await api.delete(`/assets/${body.id}`)
        if ((await exported(api)).names.length === 0) seen += 1
      }
      expect(seen).toBe(ROUNDS)
    },
  )

  test(
    'a read that the standby cancels is done again at the primary, and so are all when it is gone',
    LONG,
    async () => {
      const { standby, app } = await pair()
      await standby.ask(`alter system set max_standby_streaming_delay = 0`)
      await standby.ask('select pg_reload_conf()')
      const ctx = await app.newTenant()
      const begun = Promise.withResolvers<void>()
      const places: string[] = []
      const read = fromReplica(ctx, async ({ db }, asOf) => {
        places.push(asOf ? 'replica' : 'primary')
        if (!asOf) return 'answered'
        begun.resolve()
        await db.all(
          sql`select pg_sleep(60) from pg_class where relname = 'assets' and (select count(*) from assets) >= 0`,
        )
        return 'not cancelled'
      })
      await begun.promise
      await until(async () => {
        const rows = await standby.ask(
          `select from pg_stat_activity where query like '%pg_sleep(60)%' and wait_event = 'PgSleep'`,
        )
        return rows.length > 0
      })
      const owner = await app.runtime.database.session()
      onTestFinished(() => owner.end())
      await owner.query(
        'reset role; begin; lock table assets in access exclusive mode; select pg_current_xact_id(); commit',
      )
      expect(await read).toBe('answered')
      expect(places).toEqual(['replica', 'primary'])

      await until(async () => (await hasOwnRead(ctx)) === 'replica')
      await standby.kill()
      expect(
        await Promise.all(
          Array.from({ length: 20 }, () => fromReplica(ctx, ({ db }) => db.one(sql`select 1 as one`))),
        ),
      ).toHaveLength(20)
      await until(async () => (await hasOwnRead(ctx)) === 'primary')
    },
  )

  test('a database that is another one is not read', LONG, async () => {
    const primary = await systemPostgres()
    await migrate(primary.where, MIGRATIONS)
    await primary.ask('create database other owner rollcall')
    const warned: string[] = []
    const log = { warn: (_: unknown, said?: string) => void warned.push(said ?? String(_)) }
    const database = openDatabase(primary.where, {
      replica: { where: { ...primary.where, database: 'other' }, log: log as never },
    })
    onTestFinished(() => database.close())
    await until(() => warned.some((it) => it.includes('another database')))
    expect(await database.replica?.reading(NOBODY, NOBODY)).toBe(undefined)
  })
})
