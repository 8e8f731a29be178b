import type { Config } from './config.ts'
import { migrate, migrationState } from '#platform/migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { reachDatabase } from './site.ts'

/** Answers the migrations that were missing. */
export async function migrateNow(config: Config): Promise<readonly string[]> {
  const { where, postgres } = await reachDatabase(config)
  try {
    const { pending } = await migrationState(where, MIGRATIONS)
    await migrate(where, MIGRATIONS)
    return pending
  } finally {
    await postgres?.release()
  }
}
