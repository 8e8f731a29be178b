import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import type { DatabaseAddress } from './address.ts'
import { asUnavailable, DatabaseUnavailable } from './unavailable-errors.ts'
import { withOwner } from './connect-primary.ts'

export interface MigrationState {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

/**
 * Applies what is missing, each file in a transaction of its own, under one lock. Forward only. Throws
 * DatabaseUnavailable when the session is lost; what it had begun is rolled back, and it may be run again. With `only`, stops
 * where a database has just these.
 */
export async function migrate(
  where: DatabaseAddress,
  folder: string,
  only?: ReadonlySet<string>,
): Promise<MigrationState> {
  return withOwner(where, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations])
    await client.query(`create table if not exists migrations (
      name text primary key, digest text not null, applied_at timestamptz not null default now())`)
    for (const file of await pendingFiles(client, folder))
      if (!only || only.has(file.name)) await apply(client, file)
    return readState(client, folder)
  })
}

/** What `migrate` would do; works on an empty database too. */
export async function migrationState(where: DatabaseAddress, folder: string): Promise<MigrationState> {
  return withOwner(where, (client) => readState(client, folder))
}

/** Of each migration in the folder its SHA-256. */
export async function migrationDigests(folder: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await readFiles(folder)).map(({ name, digest }) => [name, digest]))
}

interface File {
  readonly name: string
  readonly text: string
  readonly digest: string
}

async function readFiles(folder: string): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, digest: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function appliedDigests(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ present: boolean }>(
    `select to_regclass('migrations') is not null as present`,
  )
  if (!rows[0]?.present) return new Map()
  const applied = await client.query<{ name: string; digest: string }>('select name, digest from migrations')
  return new Map(applied.rows.map((row) => [row.name, row.digest]))
}

async function pendingFiles(client: pg.Client, folder: string): Promise<File[]> {
  const applied = await appliedDigests(client)
  const files = await readFiles(folder)
  const changed = files.find((file) => applied.has(file.name) && applied.get(file.name) !== file.digest)
  if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`)
  const names = new Set(files.map((file) => file.name))
  const newer = [...applied.keys()].find((name) => !names.has(name))
  if (newer !== undefined)
    throw new Error(
      `a newer version has brought the database up to date (${newer}); run that version, or restore a backup from before`,
    )
  return files.filter((file) => !applied.has(file.name))
}

async function readState(client: pg.Client, folder: string): Promise<MigrationState> {
  const pending = (await pendingFiles(client, folder)).map((file) => file.name)
  return { applied: [...(await appliedDigests(client)).keys()].toSorted(), pending }
}

async function apply(client: pg.Client, file: File): Promise<void> {
  await client.query('begin')
  try {
    await client.query(file.text)
    await client.query('insert into migrations (name, digest) values ($1, $2)', [file.name, file.digest])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    if (asUnavailable(error) instanceof DatabaseUnavailable) throw error
    throw new Error(`migration ${file.name} failed`, { cause: error })
  }
}
