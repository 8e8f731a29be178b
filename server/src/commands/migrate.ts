import type { Config } from '../config.ts'
import { migrate, migrationState } from '#platform/database/migrate.ts'
import { waitForDatabase } from '#platform/database/wait-for-database.ts'
import { openLog } from '#platform/observability/log.ts'
import { MIGRATIONS } from '../startup/migrations.ts'
import { reachDatabase } from '../startup/installation.ts'

/** Answers the migrations that were missing. */
export async function migrateNow(config: Config): Promise<readonly string[]> {
  const patience = { log: openLog(config.logLevel) }
  const { where, postgres } = await reachDatabase(config, patience)
  try {
    return await waitForDatabase(patience, async () => {
      const { pending } = await migrationState(where, MIGRATIONS)
      await migrate(where, MIGRATIONS)
      return pending
    })
  } finally {
    await postgres?.release()
  }
}
