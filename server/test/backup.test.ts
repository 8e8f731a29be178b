import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backup } from '../src/commands/backup.ts'
import { restore } from '../src/commands/restore.ts'
import { readConfig, type Config } from '../src/config.ts'
import { listAssets } from '../src/features/assets/assets.ts'
import { verifyAudit } from '../src/features/audit/audit.ts'
import { createDemoData } from '../src/features/demo/demo.ts'
import { emit } from '../src/features/events/events.ts'
import { atomically } from '../src/platform/context.ts'
import type { DatabaseAddress } from '../src/platform/database/address.ts'
import { adoptKey, found } from '../src/platform/secrets/installation-key.ts'
import { testApp, type TestApp } from './support/app/test-app.ts'
import { emptyDatabase, withClient } from './support/database/empty-database.ts'
import { onDatabase } from './support/processes/rollcall-process.ts'

const KEY = 'k'.repeat(32)
const PLAIN = { replace: false, check: false }

test('a backup taken while others write is restored with every row, and what was written later is not in it', async () => {
  const { app, config, folder } = await installation()
  const file = join(folder, 'a.tar')
  const writing = new AbortController()
  const written = writeUntil(app, writing.signal)
  await backup(config, file)
  writing.abort()
  await written
  const other = await emptyDatabase()
  await restore(configFor(other), file, PLAIN)
  const there = await countsOf(other)
  const here = await countsOf(app.where)
  expect(there['assets']).toBe(here['assets'])
  expect(there['events']).toBeLessThanOrEqual(here['events'] ?? 0)
  const copy = await testApp({ where: other, secretKey: KEY })
  const ctx = copy.runtime.contextFor(app.tenantId)
  expect((await listAssets(ctx, { limit: 1, offset: 0 })).total).toBe(here['assets'])
  expect(await verifyAudit(ctx)).toMatchObject({ faults: [] })
  await atomically(ctx, (inner) => emit(inner, [{ type: 'NEW_SOURCE', payload: { source_id: 'later' } }]))
})

test('a broken file, another key and an installation that is there change nothing', async () => {
  const { app, config, folder } = await installation()
  const file = join(folder, 'a.tar')
  await backup(config, file)
  const before = await digestsOf(app.where)
  await expect(backup(config, file)).rejects.toThrow('a backup never overwrites')
  await expect(restore(config, file, PLAIN)).rejects.toThrow('--replace removes it')
  const bytes = readFileSync(file)
  for (const broken of [
    flipped(bytes, Math.floor(bytes.length / 2)),
    bytes.subarray(0, bytes.length / 2),
    Buffer.from('no tar'),
    Buffer.alloc(0),
  ]) {
    writeFileSync(join(folder, 'broken.tar'), broken)
    await expect(restore(config, join(folder, 'broken.tar'), { ...PLAIN, replace: true })).rejects.toThrow(
      'is not a whole backup',
    )
  }
  const stranger = { ...config, secretKey: 'x'.repeat(32) }
  await expect(restore(stranger, file, { ...PLAIN, replace: true })).rejects.toThrow(
    'SECRET_KEY is another one',
  )
  expect(await digestsOf(app.where)).toEqual(before)
})

test('a changed bit is noticed wherever it is: in rows, in headers, in what fills a block, after the end', async () => {
  const { config, folder } = await installation()
  const file = join(folder, 'a.tar')
  await backup(config, file)
  const bytes = readFileSync(file)
  const broken = join(folder, 'broken.tar')
  const unnoticed: number[] = []
  const end = bytes.lastIndexOf('sums.json')
  const spread = Array.from({ length: 80 }, (_, index) => Math.floor((index / 80) * bytes.length))
  const inSums = Array.from({ length: 40 }, (_, index) => end + index * 93).filter((it) => it < bytes.length)
  const inHeader = Array.from({ length: 40 }, (_, index) => index * 4)
  for (const at of [...inHeader, ...spread, ...inSums, bytes.length - 1]) {
    writeFileSync(broken, flipped(bytes, at))
    const check = restore(config, broken, { ...PLAIN, check: true })
    await check.then(
      () => unnoticed.push(at),
      (error: Error) => expect(error.message).toContain('is not a whole backup'),
    )
  }
  expect(unnoticed).toEqual([])
})

test('a backup that is hurt between its members alone is mended by packing it anew', async () => {
  const { app, config, folder } = await installation()
  const [file, hurt, mended] = ['a.tar', 'hurt.tar', 'mended.tar'].map((it) => join(folder, it)) as [
    string,
    string,
    string,
  ]
  await backup(config, file)
  const bytes = readFileSync(file)
  writeFileSync(hurt, flipped(bytes, bytes.length - 1))
  await expect(restore(config, hurt, { ...PLAIN, check: true })).rejects.toThrow('bytes between its members')
  execFileSync('tar', ['-xf', hurt, '-C', folder])
  execFileSync('tar', ['-cf', mended, '-C', folder, 'backup.json', 'tables', 'sums.json'])
  const other = await emptyDatabase()
  await restore(configFor(other), mended, PLAIN)
  expect(await digestsOf(other)).toEqual(await digestsOf(app.where))
})

test('the key of another installation is never overwritten', async () => {
  const { config, folder } = await installation()
  const file = join(folder, 'a.tar')
  await backup(config, file)
  const [dataDir, keyFile] = [join(folder, 'data'), join(folder, 'key')]
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret.key'), 'of another one\n')
  writeFileSync(keyFile, KEY)
  const { secretKey: _, ...without } = configFor(await emptyDatabase())
  await expect(restore({ ...without, dataDir } as Config, file, { ...PLAIN, keyFile })).rejects.toThrow(
    'holds the key of another installation',
  )
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('of another one\n')
})

test('with --replace rows, tables, partitions and references are as they were', async () => {
  const { app, config, folder } = await installation()
  const file = join(folder, 'a.tar')
  await backup(config, file)
  const before = { rows: await digestsOf(app.where), shape: await shapeOf(app.where) }
  await withClient(app.where, (client) => client.query('truncate assets, audit_entries cascade'))
  await restore(config, file, { ...PLAIN, replace: true })
  expect({ rows: await digestsOf(app.where), shape: await shapeOf(app.where) }).toEqual(before)
})

test('a folder keeps as many backups as asked for, and other files', async () => {
  const { config, folder } = await installation()
  writeFileSync(join(folder, 'rollcall-20200101T000000Z.tar'), 'old')
  writeFileSync(join(folder, 'mine.tar'), 'mine')
  writeFileSync(join(folder, 'rollcall-20200102T000000Z.tar.77.unfinished'), 'cut')
  await backup(config, folder, '1')
  expect(readdirSync(folder).filter((it) => it.endsWith('unfinished'))).toEqual([])
  expect(tarsIn(folder)).toEqual(['mine.tar', expect.stringMatching(/^rollcall-20[2-9]/)])
  await expect(backup(config, folder, '0')).rejects.toThrow('keep')
})

test('a folder that is not there is made, and so is that of a file', async () => {
  const { config, folder } = await installation()
  await backup(config, join(folder, 'new'), '3')
  expect(tarsIn(join(folder, 'new'))).toEqual([expect.stringMatching(/^rollcall-2/)])
  await backup(config, join(folder, 'other/a.tar'))
  expect(tarsIn(join(folder, 'other'))).toEqual(['a.tar'])
  await expect(backup(config, join(folder, 'b.tar'), '3')).rejects.toThrow('needs a folder')
})

/** An installation that was started, with a small estate, an entry of the audit log and a folder for backups. */
async function installation(): Promise<{
  app: TestApp & { readonly tenantId: string }
  config: Config
  folder: string
}> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const app = await testApp({ secretKey: KEY })
  const { system } = app.runtime
  await adoptKey(system)
  await found(system, () => Promise.resolve('welcome'))
  const ctx = await app.newTenant()
  await createDemoData(ctx, { assets: 40, seed: 1 })
  await app.key(ctx)
  return { app: { ...app, tenantId: ctx.tenantId }, config: configFor(app.where), folder }
}

const configFor = (where: DatabaseAddress): Config => readConfig(onDatabase(where, KEY))

async function writeUntil(
  { runtime, tenantId }: TestApp & { tenantId: string },
  signal: AbortSignal,
): Promise<void> {
  const ctx = runtime.contextFor(tenantId)
  while (!signal.aborted)
    await atomically(ctx, (inner) => emit(inner, [{ type: 'NEW_SOURCE', payload: { source_id: 'x' } }]))
}

/** What differs by intent: migrations say when they were applied, the installation when it was backed up. */
const APART = ['migrations', 'installation', 'nodes', 'rate_windows', 'staged_entries']

const tablesOf = async (where: DatabaseAddress): Promise<string[]> =>
  withClient(where, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname <> all($1) order by 1`,
      [APART],
    )
    return rows.map((it) => it.name)
  })

const countsOf = (where: DatabaseAddress): Promise<Record<string, number>> =>
  eachTable<number>(where, (table) => `select count(*)::int as it from "${table}"`)

/** Of each table one text that another value, a missing row or one too many changes. */
const digestsOf = (where: DatabaseAddress): Promise<Record<string, string>> =>
  eachTable<string>(
    where,
    (table) =>
      `select md5(coalesce(string_agg(row::text, '|' order by row::text), '')) as it from "${table}" row`,
  )

async function eachTable<T>(
  where: DatabaseAddress,
  textOf: (table: string) => string,
): Promise<Record<string, T>> {
  const tables = await tablesOf(where)
  return withClient(where, async (client) => {
    const found: [string, T][] = []
    for (const table of tables) {
      const { rows } = await client.query<{ it: T }>(textOf(table))
      found.push([table, rows[0]?.it as T])
    }
    return Object.fromEntries(found)
  })
}

const shapeOf = (where: DatabaseAddress): Promise<unknown[]> =>
  withClient(where, async (client) => {
    const { rows } = await client.query(`
      select 'reference' as kind, conrelid::regclass::text as name, concat(conname, ' ', pg_get_constraintdef(oid)) as is from pg_constraint
      union all select 'trigger', tgrelid::regclass::text, concat(tgname, ' ', tgenabled) from pg_trigger where not tgisinternal
      union all select 'policy', tablename, policyname from pg_policies
      union all select 'table', oid::regclass::text, concat(relrowsecurity, pg_get_expr(relpartbound, oid))
        from pg_class where relkind in ('r', 'p', 'i') and relnamespace = 'public'::regnamespace
      union all select 'sequence', sequencename, coalesce(last_value::text, '') from pg_sequences
      order by 1, 2, 3`)
    return rows as unknown[]
  })

const tarsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((it) => it.endsWith('.tar'))
    .toSorted()

/** One bit of the byte at `at` is another. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
