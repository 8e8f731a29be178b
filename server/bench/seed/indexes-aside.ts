import type pg from 'pg'

/** For what is consistent as it is made: references are not looked up for each row, and indexes are sorted in memory. */
export const IN_BULK = `set session_replication_role = replica; set maintenance_work_mem = '512MB'`

/** Drops the indexes of the tables that no constraint needs. The answer builds them again. */
export async function setIndexesAside(
  client: pg.Client,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::regclass[]) and not indisprimary
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}
