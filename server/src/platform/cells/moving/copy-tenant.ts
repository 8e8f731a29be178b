import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { TenantTable } from './tenant-tables.ts'

export interface Copying {
  /** In a transaction that sees one state of the database. */
  readonly from: pg.Client
  /** In the transaction that brings the tenant. */
  readonly to: pg.Client
  readonly tenantId: string
}

/** What the tenant's rows in a table come to, whatever their order. */
export interface Fingerprint {
  readonly rows: number
  /** A sum over digests of the rows. */
  readonly digest: string
}

/** Copies the tenant's rows of the tables, in this order; answers how many. Throws when not each of them arrived. */
export async function copyTables(copying: Copying, tables: readonly TenantTable[]): Promise<number> {
  let rows = 0
  for (const table of tables) rows += await copyRows(copying, table)
  return rows
}

export interface CopiedRows {
  /** Into this table instead, which has the same columns. */
  readonly into?: string
  readonly columns?: readonly string[]
  /** Of the tenant's rows only these. */
  readonly only?: string
}

export async function copyRows(
  { from, to, tenantId }: Copying,
  table: TenantTable,
  { into = nameOf(table), columns = table.columns, only = 'true' }: CopiedRows = {},
): Promise<number> {
  const list = listOf(columns)
  const source = from.query(
    copyTo(`copy (select ${list} from ${nameOf(table)}
      where tenant_id = ${pg.escapeLiteral(tenantId)} and ${only}) to stdout`),
  )
  const target = to.query(copyFrom(`copy ${into} (${list}) from stdin`))
  await pipeline(source, target)
  if (source.rowCount !== target.rowCount)
    throw new Error(`${table.name}: ${target.rowCount} of ${source.rowCount} rows arrived`)
  return target.rowCount
}

/** Compares the tables byte by byte; answers what each comes to on both sides. Throws where they differ. */
export async function compareTables(
  { from, to, tenantId }: Copying,
  tables: readonly TenantTable[],
): Promise<Map<string, Fingerprint>> {
  const [here, there] = await Promise.all([from, to].map((client) => fingerprints(client, tables, tenantId)))
  const differing = tables.flatMap(({ name }) => {
    const [a, b] = [here?.get(name), there?.get(name)]
    return a && b && isSame(a, b) ? [] : [`${name} (${a?.rows} rows here, ${b?.rows} there)`]
  })
  if (differing.length > 0) throw new Error(`not all arrived as it was: ${differing.join('; ')}`)
  return here ?? new Map()
}

export const isSame = (a: Fingerprint, b: Fingerprint): boolean => a.rows === b.rows && a.digest === b.digest

async function fingerprints(
  client: pg.Client,
  tables: readonly TenantTable[],
  tenantId: string,
): Promise<Map<string, Fingerprint>> {
  const found = new Map<string, Fingerprint>()
  for (const table of tables) found.set(table.name, await fingerprintOf(client, table, tenantId))
  return found
}

export async function fingerprintOf(
  client: pg.Client,
  table: TenantTable,
  tenantId: string,
): Promise<Fingerprint> {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*) as rows, coalesce(sum(hashtextextended(row(${listOf(table.columns)})::text, 0)::numeric), 0) as digest
     from ${nameOf(table)} where tenant_id = $1`,
    [tenantId],
  )
  return { rows: Number(rows[0]?.rows), digest: rows[0]?.digest ?? '' }
}

export const nameOf = ({ name }: Pick<TenantTable, 'name'>): string => `public."${name}"`
export const listOf = (columns: readonly string[]): string => columns.map((it) => `"${it}"`).join(', ')
