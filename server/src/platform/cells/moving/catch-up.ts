import pg from 'pg'
import {
  copyRows,
  fingerprintOf,
  isSame,
  listOf,
  nameOf,
  type Copying,
  type Fingerprint,
} from './copy-tenant.ts'
import type { TenantTable } from './tenant-tables.ts'

/** Rows that were copied while the tenant was at work are brought up to date: only what was written since is copied again. */

/** What is there as of a moment. */
export interface Copied {
  /** No transaction before this one was under way then: what it left was copied. */
  readonly horizon: string
  readonly tables: ReadonlyMap<string, Fingerprint>
}

/** Of the transaction's one state of the database. */
export async function horizonOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ xmin: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
  )
  return rows[0]?.xmin ?? ''
}

/**
 * Throws where the tables are not the same byte by byte then: when a key that is unique went from one row to another,
 * say. All has to be copied again then.
 */
export async function catchUp(
  copying: Copying,
  tables: readonly TenantTable[],
  before: Copied,
): Promise<Copied> {
  const horizon = await horizonOf(copying.from)
  const now = new Map<string, Fingerprint>()
  const changed: TenantTable[] = []
  for (const table of tables) {
    const here = await fingerprintOf(copying.from, table, copying.tenantId)
    now.set(table.name, here)
    const there = before.tables.get(table.name)
    // what is there was compared before, and nobody else can change it
    if (!there || !isSame(here, there)) changed.push(table)
  }
  for (const table of changed) await bringWritten(copying, table, before.horizon)
  for (const table of changed.toReversed()) await removeDeleted(copying, table, now.get(table.name)?.rows)
  for (const table of changed) {
    const [here, there] = [now.get(table.name), await fingerprintOf(copying.to, table, copying.tenantId)]
    if (!here || !isSame(here, there))
      throw new Error(
        `${table.name}: not all arrived as it was (${here?.rows} rows here, ${there.rows} there)`,
      )
  }
  return { horizon, tables: now }
}

const CAME = 'pg_temp.came'

/** Inserts or changes the rows that were written since. */
async function bringWritten(copying: Copying, table: TenantTable, horizon: string): Promise<void> {
  const { columns, key, numbered } = table
  const { to } = copying
  const all = listOf(columns)
  await to.query(`create temporary table came on commit drop as select ${all} from ${nameOf(table)} limit 0`)
  const only = `age(xmin) <= age(${pg.escapeLiteral(horizon)}::xid8::xid)`
  const count = await copyRows(copying, table, { into: CAME, only })
  if (count > 0) {
    const values = columns.filter((it) => !key.includes(it) && !numbered.includes(it))
    const happens =
      values.length === 0
        ? 'nothing'
        : `update set (${listOf(values)}) = row(${values.map((it) => `excluded."${it}"`).join(', ')})
           where row(${values.map((it) => `t."${it}"`).join(', ')})::text is distinct from
             row(${values.map((it) => `excluded."${it}"`).join(', ')})::text`
    await to.query(
      `insert into ${nameOf(table)} as t (${all}) overriding system value select ${all} from ${CAME}
       on conflict (${listOf(key)}) do ${happens}`,
    )
  }
  await to.query(`drop table ${CAME}`)
}

/** Deletes there what is not here any more, when there are more than `rows`. */
async function removeDeleted(copying: Copying, table: TenantTable, rows: number | undefined): Promise<void> {
  const { to, tenantId } = copying
  const { rows: found } = await to.query<{ n: string }>(
    `select count(*) as n from ${nameOf(table)} where tenant_id = $1`,
    [tenantId],
  )
  if (Number(found[0]?.n) === rows) return
  const key = listOf(table.key)
  await to.query(`create temporary table came on commit drop as select ${key} from ${nameOf(table)} limit 0`)
  await copyRows(copying, table, { into: CAME, columns: table.key })
  await to.query(`analyze ${CAME}`)
  await to.query(
    `delete from ${nameOf(table)} t where tenant_id = $1 and not exists (
       select from ${CAME} c where ${table.key.map((it) => `c."${it}" = t."${it}"`).join(' and ')})`,
    [tenantId],
  )
  await to.query(`drop table ${CAME}`)
}
