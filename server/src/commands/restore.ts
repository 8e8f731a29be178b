import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { reachDatabase } from '../startup/installation.ts'
import { MIGRATIONS } from '../startup/migrations.ts'
import { readBackupHead, readBackupRows, type BackupHead } from '#platform/backup/backup-contents.ts'
import { clearDatabase, loadDatabase, occupantsOf } from '#platform/backup/load-database.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { migrate, migrationDigests } from '#platform/database/migrate.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { opensKeyCheck } from '#platform/secrets/installation-key.ts'

export interface RestoreOptions {
  /** Holds the SECRET_KEY of the installation that the backup is of; becomes DATA_DIR/secret.key. */
  readonly keyFile?: string | undefined
  /** What the database holds goes. */
  readonly replace: boolean
  /** Reads the whole file and says what is in it. */
  readonly check: boolean
}

/**
 * Makes the database what it was when the backup was taken, then brings it up to date. The file is read to its end first, so
 * that a broken one removes nothing.
 */
export async function restore(
  config: Config,
  path: string,
  { keyFile, replace, check }: RestoreOptions,
): Promise<CommandResult> {
  const head = await readBackupHead(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? invalid('file', `${path} is not there`) : error
  })
  const rows = await countedRows(path)
  if (check) return resultOf(head, path, rows, 'It is whole.')
  await refuseNewer(head)
  const key = await keyOf(config, keyFile)
  if (keyFile !== undefined) await refuseAnotherKey(config, key)
  if (head.key_check !== null && (key === undefined || !opensKeyCheck(key, head.key_check)))
    throw conflict(
      `${key === undefined ? 'SECRET_KEY is missing' : 'SECRET_KEY is another one'}: give the one of the installation that the backup is of, as SECRET_KEY or with --key-file`,
    )
  const { where, postgres } = await reachDatabase(config)
  try {
    await makeRoom(where, replace)
    if (keyFile !== undefined && key !== undefined) await putKey(config, key)
    await migrate(where, MIGRATIONS, new Set(head.migrations.map((it) => it.name)))
    await loadDatabase(where, path, head)
    await migrate(where, MIGRATIONS)
  } finally {
    await postgres?.release()
  }
  return resultOf(head, path, rows, 'It is restored; start the server, and run rollcall doctor.')
}

function resultOf(
  { taken_at, version }: BackupHead,
  path: string,
  rows: number,
  what: string,
): CommandResult {
  return {
    json: { file: path, taken_at, version, rows },
    text: `${path} was taken at ${taken_at} by version ${version} and holds ${rows} rows. ${what}`,
  }
}

async function countedRows(path: string): Promise<number> {
  let rows = 0
  for await (const part of readBackupRows(path)) rows += part.rows
  return rows
}

async function refuseNewer({ migrations, version }: BackupHead): Promise<void> {
  const known = await migrationDigests(MIGRATIONS)
  const unknown = migrations.find(({ name, digest }) => known.get(name) !== digest)
  if (unknown)
    throw conflict(
      `the backup is of version ${version}, whose ${unknown.name} this version does not know; restore it with that version or a newer one`,
    )
}

/** The key that the restored installation will have; undefined when there is none. */
export async function keyOf(config: Config, keyFile: string | undefined): Promise<string | undefined> {
  if (keyFile !== undefined) {
    if (config.secretKey !== undefined) throw invalid('key-file', 'SECRET_KEY is set; one of them is enough')
    const text = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw invalid('key-file', `${keyFile} cannot be read (${error.code})`)
    })
    return text.trim()
  }
  if (config.secretKey !== undefined) return config.secretKey
  const kept = await readFile(join(config.dataDir, 'secret.key'), 'utf8').catch(() => undefined)
  return kept?.trim()
}

/** The key of an installation is in no backup: none is overwritten. */
export async function refuseAnotherKey(config: Config, key: string | undefined): Promise<void> {
  const kept = await keyOf(config, undefined)
  if (kept !== undefined && kept !== key)
    throw conflict(
      `${join(config.dataDir, 'secret.key')} holds the key of another installation; move it away, or set DATA_DIR to another folder`,
    )
}

export async function putKey({ dataDir }: Config, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'secret.key'), `${key}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error // it is the same, as was found before
    },
  )
}

async function makeRoom(where: DatabaseAddress, replace: boolean): Promise<void> {
  const { isOurs, isFounded, hasOthers, nodes } = await occupantsOf(where)
  if (hasOthers) throw conflict('the database holds tables of something else; give it one of its own')
  if (nodes.length > 0)
    throw conflict(
      `stop every server first; running, or heard of in the last 30 seconds: ${nodes.join(', ')}`,
    )
  if (isFounded && !replace)
    throw conflict('the database holds an installation already; --replace removes it')
  if (isOurs) await clearDatabase(where)
}
