import type { LimitedTable } from '#platform/database/limited-db.ts'

/** Who sees only some assets sees no scans, but when their networks were swept. */
export const limitedTables = (): Readonly<Record<string, LimitedTable>> => ({ swept_networks: 'whole' })
