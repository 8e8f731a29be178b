import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTarget } from '#features/scans/scans.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { parseDatabaseUrl, type DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import type { Answer } from './support/http/api-client.ts'
import { freshDatabase } from './support/database/fresh-database.ts'
import { MIGRATIONS } from './support/database/test-database.ts'
import { testApp } from './support/app/test-app.ts'
import { systemPostgres, OLDEST, type SystemPostgres } from './support/database/system-postgres.ts'
import { needs } from './support/needs.ts'
import { onDatabase, rollcall, until } from './support/processes/rollcall-process.ts'

const LONG = { timeout: 120_000 }
const SECRET_KEY = 'a key for a database that fails now and then'

interface ScanJson {
  readonly scanId: string
}

/** A server that is asked all the time to do something, by callers who take note of every answer. */
async function busyHouse(where: DatabaseAddress) {
  await migrate(where, MIGRATIONS)
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const home = await testApp({ where, log })
  const ctx = await home.newTenant()
  const target = await createTarget(ctx, { name: 'Office', cidr: '192.0.2.0/24' })
  const api = home.as(await home.key(ctx))
  const answers: Answer<ScanJson>[] = []
  let isOver = false
  const write = async (): Promise<void> => {
    while (!isOver) answers.push(await api.post('/scans', { type: 'sweep', target: target.id }))
  }
  const writing = [write(), write(), write()]
  const good = (): Answer<ScanJson>[] => answers.filter(({ status }) => status === 201)
  const refused = (): Answer<ScanJson>[] => answers.filter(({ status }) => status !== 201)
  return {
    home,
    refused,
    lines,
    /** Until more are taken. */
    async more(): Promise<void> {
      const before = good().length
      await until(() => good().length > before + 3)
    },
    async end(): Promise<void> {
      isOver = true
      await Promise.all(writing)
    },
    /** Those that were acknowledged and are not there. */
    async lost(): Promise<string[]> {
      const rows = await ctx.db.all(
        sql<{ id: string }>`select id from scans where tenant_id = ${ctx.tenantId}`,
      )
      const there = new Set(rows.map(({ id }) => id))
      const acknowledged = good().map(({ body }) => body.scanId)
      expect(acknowledged.length).toBeGreaterThan(0)
      return acknowledged.filter((id) => !there.has(id))
    },
  }
}

/** Its children may hold its memory for a moment more. */
const started = (postgres: SystemPostgres): Promise<boolean> =>
  postgres.start().then(
    () => true,
    () => false,
  )

function listening(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
}

/** The only refusal that a failing database may cause. */
function expectUnavailable(refused: readonly Answer<unknown>[]): void {
  expect(refused.length).toBeGreaterThan(0)
  const forms = new Set(
    refused.map(({ status, headers, body }) => {
      const { error, message } = body as { error: string; message: string }
      expect(message).toMatch(/send (it|the request) again\.$/)
      return JSON.stringify([status, error, headers['retry-after']])
    }),
  )
  expect([...forms]).toEqual([JSON.stringify([503, 'unavailable', '2'])])
}

/** Passes connections on to a database, but for as many as it is told, which it accepts and leaves alone. */
async function passage(path: string) {
  let deaf = 0
  let [taken, left] = [0, 0]
  const open = new Set<Socket>()
  const server = createServer((client) => {
    taken += 1
    open.add(client.on('error', () => undefined))
    if (deaf > 0) return void ((deaf -= 1), (left += 1))
    const onward = connect(path).on('error', () => client.destroy())
    client.pipe(onward).pipe(client)
    client.on('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    leaveAlone: (count: number) => void (deaf = count),
    taken: () => taken,
    left: () => left,
  }
}

test('a connection that does not come in time is asked for again while the database answers others', async () => {
  const where = await freshDatabase()
  const between = await passage(`${where.host}/.s.PGSQL.${where.port}`)
  const database = openDatabase({ ...where, host: '127.0.0.1', port: between.port }, { connections: 2 })
  onTestFinished(() => database.close())
  const answer = sql<{ one: number }>`select 1 as one`
  await database.system.transaction(async (db) => {
    await db.one(answer)
    await vi.waitFor(() => expect(between.taken()).toBe(2)) // this one, and the one that watches
    between.leaveAlone(1)
    // the first connection is taken: for this a second one is opened, and nobody answers it
    expect(await database.system.one(answer)).toEqual({ one: 1 })
  })
  expect(between.left()).toBe(1)
})

needs('root', OLDEST)('a database that fails', () => {
  test('is waited for by a node that starts before it', LONG, async () => {
    const postgres = await systemPostgres()
    await postgres.kill()
    const refused = Promise.withResolvers<void>()
    const inItsPlace = createServer((socket) => {
      socket.destroy()
      refused.resolve()
    })
    await until(() => listening(inItsPlace, postgres.port))
    const migrating = rollcall(['migrate'], { ...onDatabase(postgres.where, SECRET_KEY), LOG_LEVEL: 'warn' })
    await refused.promise
    await new Promise((resolve) => inItsPlace.close(resolve))
    await until(() => started(postgres))
    const { code, err } = await migrating
    expect(code).toBe(0)
    expect(err).toContain('waiting for the database')
  })

  test('by SIGKILL: 503 until it runs again, nothing lost, one warning a second', LONG, async () => {
    const postgres = await systemPostgres()
    const busy = await busyHouse(postgres.where)
    await busy.more()
    await postgres.kill()
    await until(() => busy.refused().length > 200)
    await until(() => started(postgres))
    await busy.more()
    await busy.end()
    expectUnavailable(busy.refused())
    expect(await busy.lost()).toEqual([])
    const told = busy.lines.map((line) => JSON.parse(line) as { msg: string; time: string })
    expect(new Set(told.map(({ msg }) => msg))).toEqual(new Set(['the database is not available']))
    const seconds = told.map(({ time }) => Math.floor(Date.parse(time) / 1_000))
    expect(new Set(seconds).size).toBeGreaterThanOrEqual(seconds.length - 1)
  })

  test(
    'by SIGSTOP: requests are answered while it is frozen, and it serves when it goes on',
    LONG,
    async () => {
      const postgres = await systemPostgres()
      const busy = await busyHouse(postgres.where)
      await busy.more()
      await postgres.signal('SIGSTOP')
      const nobody = busy.home.as()
      const [ready, list] = await Promise.all([
        nobody.send<{ checks: unknown }>('GET', '/readyz'),
        nobody.get('/assets'),
        until(() => busy.refused().length > 3),
      ])
      await postgres.signal('SIGCONT')
      expect(ready.body.checks).toMatchObject({ database: 'unreachable' })
      expect([ready.status, list.status]).toEqual([503, 503])
      await busy.more()
      await busy.end()
      expectUnavailable(busy.refused())
      expect(await busy.lost()).toEqual([])
    },
  )

  test('of two hosts the standby is promoted: writes go on there, nothing lost', LONG, async () => {
    const first = await systemPostgres()
    const second = await first.standby()
    const port = (it: { port: number }) => `127.0.0.1:${it.port}`
    const where = parseDatabaseUrl(
      `postgresql://rollcall:x@${port(second)},${port(first)}/rollcall?target_session_attrs=read-write`,
    )
    const busy = await busyHouse(where)
    await first.ask(`alter system set synchronous_standby_names = '*'`)
    await first.ask('select pg_reload_conf()')
    await until(
      async () => (await first.ask(`select from pg_stat_replication where sync_state = 'sync'`)).length,
    )
    await busy.more()
    await first.kill()
    await second.promote()
    await busy.more()
    await busy.end()
    expectUnavailable(busy.refused())
    expect(await busy.lost()).toEqual([])
  })

  test('by becoming read-only under open connections: they are given up', LONG, async () => {
    const postgres = await systemPostgres()
    const busy = await busyHouse(postgres.where)
    await busy.more()
    await postgres.ask('alter database rollcall set default_transaction_read_only = on')
    await postgres.ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'rollcall'`)
    await until(() => busy.refused().length > 10)
    await postgres.ask('alter database rollcall reset default_transaction_read_only')
    await busy.more()
    await busy.end()
    expectUnavailable(busy.refused())
    expect(await busy.lost()).toEqual([])
  })
})
