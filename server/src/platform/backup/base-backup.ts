import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { DatabaseAddress } from '../database/address.ts'
import { conflict } from '../errors.ts'
import { walFolderOf } from './write-ahead-archive.ts'

/** A copy of the files of a running database: whole once the log of its time has been played. */
export interface Base {
  readonly folder: string
  /** Nothing earlier can be restored from it. */
  readonly endedAt: Date
}

interface BaseHead {
  readonly ended_at: string
  /** Of the roles in the copied cluster. */
  readonly password: string
}

const HEAD = 'base.json'
const OWN_FOLDER = /^base-\d{8}T\d{6}Z$/
/** PostgreSQL's manual, "Making a Base Backup Using the Low Level API": the rest is made anew, or must not be taken. */
const LEFT_EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*)$/

/** Copies the cluster to the archive while it is used, and waits until the log of that time is there. */
export async function takeBase(superuser: DatabaseAddress, cluster: string, archive: string): Promise<Base> {
  const client = new pg.Client(superuser)
  await client.connect()
  const unfinished = join(archive, `.base-${process.pid}.unfinished`)
  try {
    await refuseWithoutLog(client)
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(join(unfinished, 'files'), { recursive: true, mode: 0o700 })
    await client.query(`select pg_backup_start('rollcall', fast => true)`)
    await copyFolder(cluster, join(unfinished, 'files'))
    const { rows } = await client.query<{ labelfile: string; ended_at: Date }>(
      'select labelfile, clock_timestamp() as ended_at from pg_backup_stop(wait_for_archive => true)',
    )
    const [stopped] = rows
    if (!stopped) throw new Error('PostgreSQL gave no label')
    const head: BaseHead = {
      ended_at: stopped.ended_at.toISOString(),
      password: String(superuser.password ?? ''),
    }
    await writeFile(join(unfinished, 'files/backup_label'), stopped.labelfile, { mode: 0o600, flush: true })
    await writeFile(join(unfinished, HEAD), JSON.stringify(head), { mode: 0o600, flush: true })
    // one call for the file system: a call for each of thousands of files takes longer than the copy
    await promisify(execFile)('sync', ['-f', unfinished])
    const folder = join(archive, `base-${head.ended_at.replaceAll(/[-:]|\.\d+/g, '')}`)
    await rename(unfinished, folder)
    return { folder, endedAt: stopped.ended_at }
  } finally {
    await client.end()
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Without its log a copy of files that change is worth nothing. An archive that does not take the log is noticed after a while. */
async function refuseWithoutLog(client: pg.Client): Promise<void> {
  await client.query(`set statement_timeout = '10min'`)
  const { rows } = await client.query<{ archive_mode: string }>('show archive_mode')
  if (rows[0]?.archive_mode !== 'on')
    throw conflict(
      'the database was started without WAL_ARCHIVE; stop the server and start it with that setting',
    )
}

/** The newest base that was whole at `to`, with the password of its roles; undefined when each is later. */
export async function baseBefore(
  archive: string,
  to: Date,
): Promise<(Base & { readonly password: string }) | undefined> {
  const names = (await readdir(archive)).filter((it) => OWN_FOLDER.test(it)).toSorted()
  for (const name of names.toReversed()) {
    const folder = join(archive, name)
    const head = JSON.parse(await readFile(join(folder, HEAD), 'utf8')) as BaseHead
    const endedAt = new Date(head.ended_at)
    if (endedAt <= to) return { folder, endedAt, password: head.password }
  }
  return undefined
}

/** Files that go away while they are copied are taken away again by the log. */
export async function copyFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true }).catch(unlessGone)) {
    if (LEFT_OUT.test(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700 })
      if (!LEFT_EMPTY.has(entry.name)) await copyFolder(source, target)
    } else if (entry.isFile()) await copyFile(source, target).catch(unlessGone)
  }
}

function unlessGone(error: NodeJS.ErrnoException): never[] {
  if (error.code !== 'ENOENT') throw error
  return []
}

/** Whether the log is kept there at all. */
export const hasLog = (archive: string): Promise<boolean> =>
  readdir(walFolderOf(archive)).then(
    (names) => names.some((it) => it.endsWith('.gz')),
    () => false,
  )
