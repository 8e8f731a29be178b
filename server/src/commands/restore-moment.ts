import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { keyOf, putKey, refuseAnotherKey } from './restore.ts'
import { restoreCluster } from '#platform/backup/restore-cluster.ts'
import type { CommandResult } from '#platform/cli/command.ts'
import { settingsFor, thisMachine } from '#platform/embedded-postgres/settings.ts'
import { conflict, invalid } from '#platform/errors.ts'

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/

/** Makes an empty DATA_DIR what the database was at a moment, from the folder that was its WAL_ARCHIVE. */
export async function restoreMoment(
  config: Config,
  folder: string,
  { keyFile, to: text }: { readonly keyFile: string | undefined; readonly to: string },
): Promise<CommandResult> {
  const to = new Date(TIME.test(text) ? text : Number.NaN)
  if (Number.isNaN(to.getTime()))
    throw invalid('to', 'must be a time with its zone, such as 2026-11-24T13:00:00Z')
  if (to > new Date()) throw invalid('to', 'has not come yet')
  if (config.databaseUrl)
    throw conflict('DATABASE_URL is set; a moment is restored to the embedded database alone')
  const archive = await realpath(folder).catch(() => {
    throw invalid('file', `${folder} is not there`)
  })
  const key = await keyOf(config, keyFile)
  if (keyFile !== undefined) await refuseAnotherKey(config, key)
  const { base, lastAt } = await restoreCluster(
    { archive, to, dataDir: resolve(config.dataDir) },
    settingsFor(thisMachine()),
  )
  if (keyFile !== undefined && key !== undefined) await putKey(config, key)
  return {
    json: { archive, base, to: to.toISOString(), last_at: lastAt?.toISOString() ?? null },
    text: [
      `${config.dataDir} is what it was at ${to.toISOString()}; the last change in it is of ${lastAt?.toISOString() ?? 'the base'}.`,
      'Set WAL_ARCHIVE to a new folder before the next start: this one belongs to what was. Then run rollcall doctor and rollcall backup-base.',
    ].join('\n'),
  }
}
