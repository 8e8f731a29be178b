import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { quickFolder } from '#test/support/database/quick-folder.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { startPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'

async function folder(): Promise<string> {
  const made = await quickFolder('rollcall-postgres-')
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

async function start(dataDir: string, settings: readonly string[] = []): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres(dataDir, ['fsync=off', ...settings])
  onTestFinished(() => postgres.release())
  return postgres
}

async function ask(where: DatabaseAddress, statement: string): Promise<unknown> {
  const client = new pg.Client(where)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows[0]
  } finally {
    await client.end()
  }
}

const pidFileOf = (dataDir: string): string => join(dataDir, 'postgres/postmaster.pid')

test('many that begin at once share one cluster, and the last to leave stops it', async () => {
  const dataDir = join(await folder(), 'data')
  const all = await Promise.all([start(dataDir), start(dataDir), start(dataDir)])
  const pids = await Promise.all(
    all.map(({ where }) => ask(where, 'select pg_postmaster_start_time()::text')),
  )
  expect(new Set(pids.map((it) => JSON.stringify(it))).size).toBe(1)
  await all[0].release()
  await all[1].release()
  expect(await ask(all[2].where, 'select 1 as one')).toEqual({ one: 1 })
  await all[2].release()
  await expect(readFile(pidFileOf(dataDir))).rejects.toThrow('ENOENT')
})

test('those that leave at once stop it too', async () => {
  const dataDir = join(await folder(), 'data')
  const all = await Promise.all([start(dataDir), start(dataDir)])
  await Promise.all(all.map((it) => it.release()))
  await expect(readFile(pidFileOf(dataDir))).rejects.toThrow('ENOENT')
})

test('a socket that stands among the temporary files goes with the server, and comes again', async () => {
  const dataDir = join(await folder(), 'a-path-that-is-too-long-for-a-socket-'.repeat(3))
  for (const one of [1, 2]) {
    const { where, release } = await start(dataDir)
    const socketFolder = String(where.host)
    expect(socketFolder.startsWith(tmpdir())).toBe(true)
    expect(await ask(where, `select ${one} as one`)).toEqual({ one })
    await release()
    expect(existsSync(socketFolder)).toBe(false)
  }
})

test('a pid file that names a living stranger does not keep it from starting', async () => {
  const dataDir = join(await folder(), 'data')
  await (await start(dataDir)).release()
  await writeFile(pidFileOf(dataDir), `${process.pid}\n${join(dataDir, 'postgres')}\n`)
  const { where } = await start(dataDir)
  expect(await ask(where, 'select 1 as one')).toEqual({ one: 1 })
})

test('a copied data directory starts beside the running original, whose pid file it holds', async () => {
  const parent = await folder()
  const [original, copy] = [join(parent, 'original'), join(parent, 'copy')]
  await (await start(original)).release()
  execFileSync('cp', ['-a', original, copy])
  const { where } = await start(original)
  execFileSync('cp', ['-a', pidFileOf(original), pidFileOf(copy)])
  const other = await start(copy)
  expect(other.where.host).not.toBe(where.host)
  for (const one of [where, other.where]) expect(await ask(one, 'select 1 as one')).toEqual({ one: 1 })
})

test('after a start the log is archived as soon as after the first one', { timeout: 120_000 }, async () => {
  const dataDir = join(await folder(), 'data')
  const archived = ['archive_mode=on', 'archive_command=true', 'archive_timeout=1s']
  await (await start(dataDir, archived)).release()
  const { superuser } = await start(dataDir, archived)
  await ask(superuser, 'create table written ()')
  const { segment } = (await ask(
    superuser,
    'select pg_walfile_name(pg_current_wal_lsn()) as segment',
  )) as Record<string, string>
  await expect
    .poll(() => ask(superuser, 'select last_archived_wal as segment from pg_stat_archiver'), {
      timeout: 60_000,
    })
    .toEqual({ segment })
})

test('the application’s role owns its database and is no superuser', async () => {
  const { where } = await start(join(await folder(), 'data'))
  expect(
    await ask(
      where,
      'select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user',
    ),
  ).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: true })
  expect(await ask(where, 'show listen_addresses')).toEqual({ listen_addresses: '' })
})
