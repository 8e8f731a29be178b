import type { Config } from '../config.ts'
import { reachDatabase } from '../startup/installation.ts'
import { takeBase } from '#platform/backup/base-backup.ts'
import { noteBackup } from '#platform/backup/last-backup.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { conflict } from '#platform/errors.ts'

/** Copies the files of the embedded database to WAL_ARCHIVE while it is used. */
export async function backupBase(config: Config): Promise<CommandResult> {
  const { walArchive } = config
  if (walArchive === undefined)
    throw conflict('WAL_ARCHIVE is not set: without the log a base is worth nothing')
  const { where, postgres } = await reachDatabase(config)
  if (!postgres)
    throw conflict('DATABASE_URL is set: use pg_basebackup or what backs up your other databases')
  try {
    const { folder, endedAt } = await takeBase(postgres.superuser, postgres.cluster, walArchive)
    await noteBackup(where)
    const from = endedAt.toISOString()
    return {
      json: { folder, from },
      text: `${folder}: any moment from ${from} on can be restored. Keep the SECRET_KEY too, at another place.`,
    }
  } finally {
    await postgres.release()
  }
}
