import { sql } from 'kysely'
import type pg from 'pg'
import { carryMembers, carryTenant, MEMBER_TABLES } from '#features/tenancy/tenancy.ts'
import { features } from '../../app.ts'
import { copyTables, differingTables, type Copying } from '#platform/cells/moving/copy-tenant.ts'
import { forgetMove } from '#platform/cells/moving/move-store.ts'
import { partitionDays, tenantTables, type TenantTable } from '#platform/cells/moving/tenant-tables.ts'
import { passNumbers } from '#platform/cells/number-ranges.ts'
import { makeDays } from '#platform/backup/load-database.ts'
import { directly, type DatabaseAddress } from '#platform/database/address.ts'
import { connectPrimary, destroy } from '#platform/database/connect-primary.ts'
import { compileUnnamed } from '#platform/database/sql.ts'
import type { Query } from '#platform/database/database.ts'
import { reseal } from '#platform/secrets/reseal.ts'
import { openSeal } from '#platform/secrets/seal.ts'
import type { OtherCell } from './other-cell.ts'

export interface Carried {
  readonly rows: number
  readonly tables: number
  readonly resealed: number
}

/**
 * Brings the tenant there in one transaction: all of it, as one state of this database has it, or nothing. What arrived is
 * compared before it is committed; from the commit on the tenant is at work there.
 */
export async function carry(
  where: DatabaseAddress,
  other: OtherCell,
  { tenantId, secretKey }: { readonly tenantId: string; readonly secretKey: string },
): Promise<Carried> {
  const { client: from } = await connectPrimary(directly(where))
  const { client: to } = await connectPrimary(directly(other.where))
  try {
    for (const client of [from, to]) await client.query(`set statement_timeout = 0; set timezone = 'UTC'`)
    // partitions are locked only for as long as they are made
    await makeDays(to, await partitionDays(from))
    await from.query('begin transaction isolation level repeatable read, read only')
    await to.query('begin')
    const carried = await carryRows({ from, to, tenantId }, other, secretKey)
    await to.query('commit')
    await from.query('commit')
    return carried
  } finally {
    destroy(from)
    destroy(to)
  }
}

async function carryRows(copying: Copying, other: OtherCell, secretKey: string): Promise<Carried> {
  const { from, to, tenantId } = copying
  await forgetMove(to, tenantId)
  const { ids, added } = await carryTenant(from, to, tenantId)
  const all = await tenantTables(from)
  const members: readonly string[] = MEMBER_TABLES
  const tables = all.filter(({ name }) => !members.includes(name))
  const rows = (await copyTables(copying, tables)) + (await carryMembers(from, to, { tenantId, ids }))
  const differing = await differingTables(copying, tables)
  if (differing.length > 0) throw new Error(`not all arrived as it was: ${differing.join('; ')}`)
  const resealed =
    other.secretKey === secretKey
      ? 0
      : await resealRows(copying, tables, { from: secretKey, to: other.secretKey, added })
  await passNumbers(to, { cell: other.cell, tenantId, tables: tables.map(({ name }) => name) })
  return { rows, tables: all.length, resealed }
}

/** Of the tenant, and of the accounts that came with it. */
function resealRows(
  { to, tenantId }: Copying,
  tables: readonly TenantTable[],
  keys: { readonly from: string; readonly to: string; readonly added: readonly string[] },
): Promise<number> {
  const names = new Set(tables.map(({ name }) => name))
  const columns = features
    .flatMap((it) => it.sealed ?? [])
    .filter(({ table }) => names.has(table) || table === 'users')
  const seals = { from: openSeal(keys.from), to: openSeal(keys.to) }
  return reseal({ db: onClient(to) }, columns, seals, (table) =>
    table === 'users' ? sql`id = any(${keys.added}::uuid[])` : sql`tenant_id = ${tenantId}`,
  )
}

const onClient = (client: pg.Client) => ({
  all: async <R>(query: Query<R>): Promise<R[]> => (await client.query(compileUnnamed(query))).rows as R[],
  run: async (query: Query<unknown>): Promise<number> =>
    (await client.query(compileUnnamed(query))).rowCount ?? 0,
})
