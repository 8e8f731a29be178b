import type pg from 'pg'
import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { withOwner } from '../database/connect-primary.ts'
import { conflict } from '../errors.ts'
import { NUMBERS_EACH } from './cell.ts'

/**
 * Notes of which cell the database is, and lets each sequence begin where the cell's numbers do, also those of tables that
 * are new: a tenant keeps its numbers when it is moved, and the next ones are nobody else's. Throws for another cell than
 * the one that it was.
 */
export function beCell(where: DatabaseAddress, cell: number): Promise<void> {
  return withOwner(where, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations])
    await client.query('begin')
    const { rows } = await client.query<{ cell: number }>(
      `update installation set cell = coalesce(cell, $1) returning cell`,
      [cell],
    )
    const known = rows[0]?.cell ?? cell
    if (known !== cell)
      throw conflict(`CELL is ${cell}, and the database is that of cell ${known}; a cell keeps its number`)
    await raiseSequences(client, cell)
    await client.query('commit')
  })
}

/** Not those of which numbers were given out of the range already, nor those below it of a cell without a number before. */
async function raiseSequences(client: pg.Client, cell: number): Promise<void> {
  const first = cell * NUMBERS_EACH + 1
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
     where schemaname = 'public' and data_type = 'bigint'::regtype and coalesce(last_value, 0) < $1`,
    [first],
  )
  if (cell === 0) return
  for (const { name } of rows) await client.query('select setval($1::regclass, $2, false)', [name, first])
}

/** Moved rows may have numbers of the range of this very cell: from an earlier stay. The next ones come behind them. */
export async function passNumbers(
  client: pg.Client,
  {
    cell,
    tenantId,
    tables,
  }: { readonly cell: number; readonly tenantId: string; readonly tables: readonly string[] },
): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as "table", a.attname as "column",
       pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1::text[])`,
    [tables],
  )
  for (const { table, column, sequence } of rows) {
    const found = await client.query<{ most: string | null }>(
      `select max("${column}") as most from public."${table}"
       where tenant_id = $1 and "${column}" > $2 and "${column}" <= $3`,
      [tenantId, cell * NUMBERS_EACH, (cell + 1) * NUMBERS_EACH],
    )
    const most = found.rows[0]?.most
    if (most)
      await client.query(
        `select setval($1::regclass, greatest($2::bigint, (select last_value from ${sequence})))`,
        [sequence, most],
      )
  }
}
