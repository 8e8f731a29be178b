import type { Config } from './config.ts'
import { migrate, migrationState } from '#platform/migrate.ts'
import { awaitDatabase } from '#platform/database-wait.ts'
import { openLog } from '#platform/log.ts'
import { MIGRATIONS } from './migrations.ts'
import { reachDatabase } from './site.ts'

/** Answers the migrations that were missing. */
export async function migrateNow(config: Config): Promise<readonly string[]> {
  const patience = { log: openLog(config.logLevel) }
  const { where, postgres } = await reachDatabase(config, patience)
  try {
    return await awaitDatabase(patience, async () => {
      const { pending } = await migrationState(where, MIGRATIONS)
      await migrate(where, MIGRATIONS)
      return pending
    })
  } finally {
    await postgres?.release()
  }
}
