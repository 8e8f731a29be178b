import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isReachable, type User } from '../embedded-postgres/binaries.ts'
import { conflict } from '../errors.ts'

/** The most that is lost with the disk of the database, while something is written. */
const SEGMENT_SECONDS_MAX = 60

/** Where segments of the write-ahead log are kept in an archive, compressed. */
export const walFolderOf = (archive: string): string => join(archive, 'wal')

/** Makes the folder of the log for the user that runs PostgreSQL. */
export async function prepareArchive(archive: string, runAs: User | undefined): Promise<void> {
  const folder = walFolderOf(archive)
  await mkdir(archive, { recursive: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!runAs) return
  await chown(folder, runAs.uid, runAs.gid)
  if (!(await isReachable(archive, runAs)))
    throw conflict(`WAL_ARCHIVE: PostgreSQL’s user (${runAs.uid}) does not reach ${archive}`)
}

/**
 * Settings by which PostgreSQL keeps its log in the archive. A segment gets its name when it is on the disk; one that is there
 * already, as after a crash between the copy and the note of it, must be the same.
 */
export function archiveSettings(archive: string): string[] {
  const file = `${quoted(walFolderOf(archive))}/%f.gz`
  const copy = `gzip -1 <%p >${file}.part && sync ${file}.part && mv ${file}.part ${file}`
  return [
    'archive_mode=on',
    `archive_command=if test -f ${file}; then gzip -dc ${file} | cmp -s - %p; else ${copy}; fi`,
    `archive_timeout=${SEGMENT_SECONDS_MAX}s`,
  ]
}

/** Settings by which PostgreSQL takes its log from an archive until `to`, and then is a database of its own. */
export const recoverySettings = (archive: string, to: Date): string[] => [
  `restore_command=gzip -dc ${quoted(walFolderOf(archive))}/%f.gz >%p`,
  // while settings are read no names of zones are known, the Z among them
  `recovery_target_time=${to.toISOString().replace('T', ' ').replace('Z', '+00')}`,
  'recovery_target_action=promote',
  'archive_mode=off',
]

/** For the shell, and for PostgreSQL, to which a percent sign is the begin of a name. */
const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
