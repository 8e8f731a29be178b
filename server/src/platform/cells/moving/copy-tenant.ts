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

/** Copies the tenant's rows of the tables, in this order; answers how many. Throws when not each of them arrived as it was. */
export async function copyTables(copying: Copying, tables: readonly TenantTable[]): Promise<number> {
  let rows = 0
  for (const table of tables) rows += await copyTable(copying, table)
  return rows
}

async function copyTable({ from, to, tenantId }: Copying, table: TenantTable): Promise<number> {
  const name = `public."${table.name}"`
  const columns = listOf(table)
  const source = from.query(
    copyTo(`copy (select ${columns} from ${name} where tenant_id = ${pg.escapeLiteral(tenantId)}) to stdout`),
  )
  const target = to.query(copyFrom(`copy ${name} (${columns}) from stdin`))
  await pipeline(source, target)
  if (source.rowCount !== target.rowCount)
    throw new Error(`${table.name}: ${target.rowCount} of ${source.rowCount} rows arrived`)
  return target.rowCount
}

/** Tables of which the rows there are not those here, byte by byte. */
export async function differingTables(
  { from, to, tenantId }: Copying,
  tables: readonly TenantTable[],
): Promise<string[]> {
  const differing: string[] = []
  for (const table of tables) {
    const [here, there] = await Promise.all(
      [from, to].map((client) => fingerprintOf(client, table, tenantId)),
    )
    if (here !== there) differing.push(`${table.name} (${here} here, ${there} there)`)
  }
  return differing
}

/** The count of rows, and a sum over digests of them, whatever their order. */
async function fingerprintOf(client: pg.Client, table: TenantTable, tenantId: string): Promise<string> {
  const { rows } = await client.query<{ print: string }>(
    `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(row(${listOf(table)})::text, 0)::numeric), 0) as print
     from public."${table.name}" where tenant_id = $1`,
    [tenantId],
  )
  return rows[0]?.print ?? ''
}

const listOf = ({ columns }: TenantTable): string => columns.map((it) => `"${it}"`).join(', ')
