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

/** Throws where the tables are not the same byte by byte then. All has to be copied again then. */
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
const KEPT = 'pg_temp.kept'
const UNIQUE_VIOLATION = '23505'

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
    await to.query('savepoint before_written')
    try {
      await to.query(
        `insert into ${nameOf(table)} as t (${all}) overriding system value select ${all} from ${CAME}
         on conflict (${listOf(key)}) do ${happens}`,
      )
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
      await to.query('rollback to savepoint before_written')
      await replaceWritten(copying, table)
    }
    await to.query('release savepoint before_written')
  }
  await to.query(`drop table ${CAME}`)
}

/**
 * For a unique value that went from one row to another: rows are changed one after the other, so that two would hold it for
 * a moment. In one statement all of them make room, with those that are not here any more, before any comes back; whether
 * rows of other tables still find those that they refer to is looked at after it.
 */
async function replaceWritten(copying: Copying, table: TenantTable): Promise<void> {
  const all = listOf(table.columns)
  await copyKeys(copying, table)
  await copying.to.query(
    `with gone as (
       delete from ${nameOf(table)} t where tenant_id = ${pg.escapeLiteral(copying.tenantId)}
         and (exists (${sameKey(table, CAME)}) or not exists (${sameKey(table, KEPT)}))
       returning 1)
     insert into ${nameOf(table)} (${all}) overriding system value
     select ${all} from ${CAME} cross join (select count(*) from gone) as room`,
  )
  await copying.to.query(`drop table ${KEPT}`)
}

/** Deletes there what is not here any more, when there are more than `rows`. */
async function removeDeleted(copying: Copying, table: TenantTable, rows: number | undefined): Promise<void> {
  const { to, tenantId } = copying
  const { rows: found } = await to.query<{ n: string }>(
    `select count(*) as n from ${nameOf(table)} where tenant_id = $1`,
    [tenantId],
  )
  if (Number(found[0]?.n) === rows) return
  await copyKeys(copying, table)
  await to.query(
    `delete from ${nameOf(table)} t where tenant_id = $1 and not exists (${sameKey(table, KEPT)})`,
    [tenantId],
  )
  await to.query(`drop table ${KEPT}`)
}

/** The keys of all rows that are here. */
async function copyKeys(copying: Copying, table: TenantTable): Promise<void> {
  const { to } = copying
  await to.query(
    `create temporary table kept on commit drop as select ${listOf(table.key)} from ${nameOf(table)} limit 0`,
  )
  await copyRows(copying, table, { into: KEPT, columns: table.key })
  await to.query(`analyze ${KEPT}`)
}

const sameKey = ({ key }: TenantTable, rows: string): string =>
  `select from ${rows} c where ${key.map((it) => `c."${it}" = t."${it}"`).join(' and ')}`
