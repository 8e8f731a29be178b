import { sql } from 'kysely'
import type { Ctx } from '../context.ts'

/** A table and its column that holds the id. */
export type Place = readonly [table: string, column: string]

/**
 * The tenant of the row with this id; undefined where no place has one. Looks in all tenants: for a person at the command
 * line who knows the id alone.
 */
export async function tenantOfRow(
  system: Ctx,
  id: string,
  places: readonly Place[],
): Promise<string | undefined> {
  const looks = places.map(
    ([table, column]) => sql`select tenant_id from ${sql.table(table)} where ${sql.ref(column)} = ${id}`,
  )
  const found = await system.db.maybe(
    sql<{ tenant_id: string }>`${sql.join(looks, sql` union all `)} limit 1`,
  )
  return found?.tenant_id
}
