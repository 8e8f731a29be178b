import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backupBase } from '../src/commands/backup-base.ts'
import { restoreMoment } from '../src/commands/restore-moment.ts'
import { readConfig, type Config } from '../src/config.ts'
import { verifyAudit } from '../src/features/audit/audit.ts'
import { createDemoData } from '../src/features/demo/demo.ts'
import { emit } from '../src/features/events/events.ts'
import { startEngine } from '../src/features/webhooks/delivery/engine.ts'
import { createEndpoint } from '../src/features/webhooks/webhooks.ts'
import { atomically, type Ctx } from '../src/platform/context.ts'
import type { DatabaseAddress } from '../src/platform/database/address.ts'
import { adoptKey, found } from '../src/platform/secrets/installation-key.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { reachDatabase } from '../src/startup/installation.ts'
import { MIGRATIONS } from '../src/startup/migrations.ts'
import { testApp, type TestApp } from './support/app/test-app.ts'
import { withClient } from './support/database/empty-database.ts'
import { receiver } from './support/http/webhook-receiver.ts'

const KEY = 'k'.repeat(32)
const COUNTED = [
  'assets',
  'asset_observations',
  'events',
  'audit_entries',
  'findings',
  'webhook_deliveries',
  'webhook_delivery_log',
]

test(
  'a moment between two changes is restored, checked, and what was delivered before it is not sent again',
  { timeout: 300_000 },
  async () => {
    const folder = makeFolder()
    const config = configOf(folder, 'here')
    const { app, where } = await installation(config)
    const ctx = await app.newTenant()
    const { url, requests } = await receiver()
    await createEndpoint(ctx, { name: 'all', url, events: ['NEW_SOURCE'] })
    const engine = startEngine(app.runtime)
    onTestFinished(() => engine.stop())
    await createDemoData(ctx, { assets: 10, seed: 1 })
    const writing = new AbortController()
    const written = writeUntil(ctx, writing.signal)
    const { json } = await backupBase(config)
    await createDemoData(ctx, { assets: 10, seed: 2 })
    writing.abort()
    const count = await written
    await expect.poll(() => openDeliveries(where), POLL).toBe(0)
    const sent = requests.length
    expect(sent).toBeGreaterThanOrEqual(count)
    const before = await countsOf(where)
    const moment = await clockOf(where)
    await withClient(where, (client) => client.query('truncate assets cascade'))
    await archived(config)

    const there = configOf(folder, 'there')
    const restored = await restoreMoment(there, config.walArchive ?? '', { keyFile: undefined, to: moment })
    expect(restored.json).toMatchObject({ base: (json as { folder: string }).folder, to: moment })
    const copy = await installation(there)
    expect(await countsOf(copy.where)).toEqual(before)
    expect(await countsOf(where)).toMatchObject({ assets: 0 })
    const again = copy.app.runtime.contextFor(ctx.tenantId)
    expect(await verifyAudit(again)).toMatchObject({ faults: [] })
    const second = startEngine(copy.app.runtime)
    onTestFinished(() => second.stop())
    await emitOne(again, 'after')
    await expect.poll(() => requests.length, POLL).toBe(sent + 1)
    expect(requests.at(-1)?.body.toString()).toContain('after')
    const ids = requests.map(({ headers }) => headers['x-service-event-id'])
    expect(new Set(ids).size).toBe(ids.length)
  },
)

test(
  'a moment that the archive does not hold, a folder in use and a database without a log are refused',
  { timeout: 300_000 },
  async () => {
    const folder = makeFolder()
    const config = configOf(folder, 'here')
    const archive = config.walArchive ?? ''
    const { where } = await installation(config)
    const early = await clockOf(where)
    await backupBase(config)
    await withClient(where, (client) => client.query('create table later ()'))
    await archived(config)
    const restore = (of: Config, to: string) => restoreMoment(of, archive, { keyFile: undefined, to })
    const there = configOf(folder, 'there')
    await expect(restore(there, 'yesterday')).rejects.toThrow('with its zone')
    await expect(restore(there, '2999-01-01T00:00:00Z')).rejects.toThrow('has not come yet')
    await expect(restore(there, early)).rejects.toThrow('holds no base from before')
    await expect(restore(config, await clockOf(where))).rejects.toThrow('holds a database already')
    const { message } = await refusalOf(restore(there, await clockOf(where)))
    expect(message).toContain('recovery ended before configured recovery target was reached')
    expect(readdirSync(there.dataDir)).not.toContain('postgres.password')
    const reached = /last change in it is of (\S+Z)/.exec(message)?.[1] ?? ''
    await expect(restore(there, reached)).resolves.toMatchObject({ json: { to: reached } })
    const without = readConfig({ DATA_DIR: join(folder, 'without'), SECRET_KEY: KEY })
    await expect(backupBase(without)).rejects.toThrow('WAL_ARCHIVE is not set')
    const { postgres } = await reachDatabase(without)
    onTestFinished(() => postgres?.release())
    await expect(backupBase({ ...without, walArchive: archive })).rejects.toThrow(
      'started without WAL_ARCHIVE',
    )
  },
)

const refusalOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('was not refused')),
    (error: Error) => error,
  )

const POLL = { timeout: 60_000 }

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rollcall 100% it's "))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }))
  return folder
}

const configOf = (folder: string, name: string): Config =>
  readConfig({
    DATA_DIR: join(folder, name),
    WAL_ARCHIVE: join(folder, `archive of ${name}`),
    SECRET_KEY: KEY,
  })

async function installation(config: Config): Promise<{ app: TestApp; where: DatabaseAddress }> {
  const { where, postgres } = await reachDatabase(config)
  onTestFinished(() => postgres?.release())
  await migrate(where, MIGRATIONS)
  const app = await testApp({ where, secretKey: KEY })
  await adoptKey(app.runtime.system)
  await found(app.runtime.system, () => Promise.resolve('welcome'))
  return { app, where }
}

/** Answers how many events there were. */
async function writeUntil(ctx: Ctx, signal: AbortSignal): Promise<number> {
  let count = 0
  for (; !signal.aborted; count++) await emitOne(ctx, `x-${count}`)
  return count
}

const emitOne = (ctx: Ctx, id: string): Promise<void> =>
  atomically(ctx, (inner) => emit(inner, [{ type: 'NEW_SOURCE', payload: { source_id: id } }]))

/** The log until now is in the archive. */
async function archived(config: Config): Promise<void> {
  const { postgres } = await reachDatabase(config)
  const superuser = postgres?.superuser as DatabaseAddress
  const { rows } = await withClient(superuser, (client) =>
    client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name'),
  )
  const names = (): string[] => readdirSync(join(config.walArchive ?? '', 'wal'))
  await expect.poll(names, POLL).toContain(`${rows[0]?.name}.gz`)
  await postgres?.release()
}

const oneOf = async <T>(where: DatabaseAddress, statement: string): Promise<T> =>
  withClient(where, async (client) => (await client.query<{ it: T }>(statement)).rows[0]?.it as T)

const openDeliveries = (where: DatabaseAddress): Promise<number> =>
  oneOf(where, 'select count(*)::int as it from webhook_deliveries')

const clockOf = async (where: DatabaseAddress): Promise<string> =>
  (await oneOf<Date>(where, 'select clock_timestamp() as it')).toISOString()

const countsOf = async (where: DatabaseAddress): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(
      COUNTED.map(async (table): Promise<[string, number]> => [
        table,
        await oneOf<number>(where, `select count(*)::int as it from "${table}"`),
      ]),
    ),
  )
