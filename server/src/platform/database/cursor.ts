import { sql } from 'kysely'
import type { Db, Query } from './database.ts'

const ROWS_AT_ONCE = 500
/** How many wide rows are read at once: with lists that devices told they have some 20 kB each, and parsing must not hold up others. */
export const WIDE_ROWS_AT_ONCE = 100

/**
 * The rows of a query, some hundreds at a time, so that memory does not grow with their number and others get their turn. Inside a transaction
 * alone, and one at a time: the next begins when the one before has been read to its end or left.
 */
export async function* readByCursor<R>(
  db: Db,
  query: Query<R>,
  rowsAtOnce = ROWS_AT_ONCE,
): AsyncGenerator<R[]> {
  const [seen, whole] = [await (db.asSeen?.(query) ?? query), db.whole ?? db]
  await whole.run(sql`declare rows_by_cursor no scroll cursor for ${seen}`)
  try {
    for (;;) {
      const rows = await whole.all(sql<R>`fetch forward ${sql.lit(rowsAtOnce)} from rows_by_cursor`)
      if (rows.length > 0) yield rows
      if (rows.length < rowsAtOnce) return
    }
  } finally {
    // a transaction that has failed has no cursors any more
    await whole.run(sql`close rows_by_cursor`).catch(() => undefined)
  }
}
