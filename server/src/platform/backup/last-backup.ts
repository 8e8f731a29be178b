import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { withOwner } from '../database/connect-primary.ts'

const UNDEFINED_COLUMN = '42703'

/** That a whole file was written now. A database that the next start will bring up to date may have no place for it yet. */
export const noteBackup = (where: DatabaseAddress): Promise<void> =>
  withOwner(where, async (client) => {
    await client
      .query('update installation set backed_up_at = clock_timestamp()')
      .catch((error: { code?: string }) => {
        if (error.code !== UNDEFINED_COLUMN) throw error
      })
  })

/** Days since the last whole file was written; undefined when none was. */
export async function daysSinceBackup(system: Ctx): Promise<number | undefined> {
  const row = await system.db.maybe(sql<{ days: number | null }>`
    select extract(epoch from clock_timestamp() - backed_up_at)::float8 / 86400 as days from installation`)
  return row?.days ?? undefined
}
