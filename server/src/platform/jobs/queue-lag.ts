import { sql } from 'kysely'
import type { Ctx } from '../context.ts'

/** Seconds since the job that is due longest, and that nobody holds, should have begun; undefined when none is due. */
export async function queueLag(system: Ctx): Promise<number | undefined> {
  const row = await system.db.maybe(sql<{ seconds: number | null }>`
    select extract(epoch from clock_timestamp() - min(run_at))::float8 as seconds from jobs
    where failed_at is null and run_at <= clock_timestamp()
      and (leased_until is null or leased_until < clock_timestamp())`)
  return row?.seconds ?? undefined
}
