import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import product from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { reachDatabase } from '../startup/installation.ts'
import { readBackupRows } from '#platform/backup/backup-contents.ts'
import { writeBackupFile } from '#platform/backup/backup-file.ts'
import { noteBackup } from '#platform/backup/last-backup.ts'
import { dumpDatabase, type DumpProgress } from '#platform/backup/dump-database.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { conflict, invalid } from '#platform/errors.ts'

/** What `backup` gives a file in a folder; sorted by name, they are sorted by time. */
const OWN_FILE = /^rollcall-\d{8}T\d{6}Z\.tar$/
/** What a run that was killed left behind. */
const UNFINISHED = /^rollcall-\d{8}T\d{6}Z\.tar\.\d+\.unfinished$/
const DAY_MS = 86_400_000

/**
 * Writes all that the database holds to `target`, a file that must not exist where the name ends in `.tar`, else a folder, and
 * reads the file again from its first byte to its last. In a folder, `given` says how many backups stay there.
 */
export async function backup(config: Config, target: string, given?: unknown): Promise<CommandResult> {
  const keep = given === undefined ? undefined : Number(given)
  if (keep !== undefined && !(Number.isSafeInteger(keep) && keep >= 1))
    throw invalid('keep', 'must be 1 or more')
  const isFolder = await stat(target).then(
    (it) => it.isDirectory(),
    () => !target.endsWith('.tar'),
  )
  if (keep !== undefined && !isFolder) throw invalid('keep', 'needs a folder to keep backups in')
  const path = isFolder ? join(target, nameOf(new Date())) : target
  await refuseExisting(path)
  await mkdir(dirname(path), { recursive: true })
  const startedAt = performance.now()
  const { where, postgres } = await reachDatabase(config)
  try {
    const { rows, bytes } = await written(where, path)
    await noteBackup(where)
    const removed = keep === undefined ? [] : await removeOlder(target, keep)
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    const key = config.secretKey === undefined ? join(config.dataDir, 'secret.key') : 'SECRET_KEY'
    return {
      json: { file: path, rows, bytes, seconds, removed },
      text: [
        `${path}: ${rows} rows, ${megabytes(bytes)} MB, ${seconds} s; read again and whole.`,
        `Keep ${key} too, at another place: it is not in the file, and opens the secrets in it.`,
        ...removed.map((name) => `removed ${name}`),
      ].join('\n'),
    }
  } finally {
    await postgres?.release()
  }
}

async function written(where: DatabaseAddress, path: string): Promise<{ rows: number; bytes: number }> {
  const file = await writeBackupFile(path)
  try {
    const rows = await dumpDatabase(where, file, product.version, showProgress)
    return { rows, bytes: await file.finish(checked) }
  } catch (error) {
    await file.discard()
    throw error
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  }
}

/** Throws when it cannot be read to its end, or is not what was written. */
async function checked(path: string): Promise<void> {
  for await (const { table } of readBackupRows(path)) void table
}

async function removeOlder(folder: string, keep: number): Promise<string[]> {
  const all = await readdir(folder)
  const own = all.filter((it) => OWN_FILE.test(it)).toSorted()
  const yesterday = nameOf(new Date(Date.now() - DAY_MS))
  const left = all.filter((it) => UNFINISHED.test(it) && it < yesterday)
  const old = [...own.slice(0, Math.max(0, own.length - keep)), ...left]
  for (const name of old) await rm(join(folder, name))
  return old
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw conflict(`${path} exists; a backup never overwrites`)
}

const nameOf = (at: Date): string => `rollcall-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar`

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

function showProgress({ tables, tablesDone, rows }: DumpProgress): void {
  const { stderr } = process
  if (stderr.isTTY) stderr.write(`\r\x1b[K${tablesDone} of ${tables} tables, ${rows} rows`)
}
