import { sql } from 'kysely'
import type pg from 'pg'
import { carryMembers, carryTenant, MEMBER_TABLES } from '#features/tenancy/tenancy.ts'
import { features } from '../../app.ts'
import { catchUp, horizonOf, type Copied } from '#platform/cells/moving/catch-up.ts'
import { compareTables, copyTables, type Copying } from '#platform/cells/moving/copy-tenant.ts'
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

export interface CarriedTenant {
  readonly tenantId: string
  readonly secretKey: string
  readonly say: (text: string) => void
}

/** Brings a tenant there in one transaction of that database: all of it or nothing. */
export interface Carriage {
  /** Most of it, as it is now, while it is at work here. */
  readonly copyAhead: () => Promise<void>
  /** What was written since; the tenant is still at work. */
  readonly catchUp: () => Promise<void>
  /**
   * The rest, once nothing is written for it any more. What arrived is compared before it is committed; from the commit on
   * the tenant is at work there.
   */
  readonly finish: () => Promise<Carried>
  readonly close: () => void
}

export async function openCarriage(
  where: DatabaseAddress,
  other: OtherCell,
  carried: CarriedTenant,
): Promise<Carriage> {
  const { client: from } = await connectPrimary(directly(where))
  const { client: to } = await connectPrimary(directly(other.where))
  const copying = { from, to, tenantId: carried.tenantId }
  const work = carriageOf(copying, other, carried)
  return {
    ...work,
    async copyAhead() {
      for (const client of [from, to]) await client.query(PATIENT)
      // partitions are locked only for as long as they are made
      await makeDays(to, await partitionDays(from))
      await to.query('begin')
      await work.copyAhead()
    },
    close() {
      destroy(from)
      destroy(to)
    },
  }
}

const PATIENT = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC'`

/** Within the transaction there. */
function carriageOf(
  copying: Copying,
  other: OtherCell,
  { secretKey, say }: CarriedTenant,
): Omit<Carriage, 'close'> {
  const { from, to } = copying
  let ahead: Copied | undefined
  /** Where it cannot be brought up to date, all is copied once more at the end. */
  const onward = async (tables: readonly TenantTable[]): Promise<void> => {
    if (!ahead) return
    try {
      ahead = await catchUp(copying, tables, ahead)
    } catch (error) {
      say(`${(error as Error).message}; all is copied once more at the end`)
      await to.query('rollback')
      await to.query('begin')
      ahead = undefined
    }
  }
  return {
    async copyAhead() {
      ahead = await asOneState(from, async () => {
        const horizon = await horizonOf(from)
        const { lasting } = await tablesOf(from)
        await copyTables(copying, lasting)
        return { horizon, tables: await compareTables(copying, lasting) }
      })
    },
    catchUp: () => asOneState(from, async () => onward((await tablesOf(from)).lasting)),
    finish: () =>
      asOneState(from, async () => {
        const tables = await tablesOf(from)
        await onward(tables.lasting)
        const done = await finish(copying, { tables, other, secretKey, ahead })
        await to.query('commit')
        return done
      }),
  }
}

async function asOneState<T>(from: pg.Client, work: () => Promise<T>): Promise<T> {
  await from.query('begin transaction isolation level repeatable read, read only')
  const done = await work()
  await from.query('commit')
  return done
}

interface Tables {
  readonly all: readonly TenantTable[]
  /** Those that can be copied ahead. */
  readonly lasting: readonly TenantTable[]
  /** What has to wait for the tenant, and what is dropped day by day: whoever copied from that would hold it up. */
  readonly others: readonly TenantTable[]
}

async function tablesOf(client: pg.Client): Promise<Tables> {
  const members: readonly string[] = MEMBER_TABLES
  const all = await tenantTables(client)
  const carried = all.filter(({ name }) => !members.includes(name))
  return {
    all,
    lasting: carried.filter(isLasting),
    others: carried.filter((it) => !isLasting(it)),
  }
}

const isLasting = ({ isOfDirectory, isPartitioned }: TenantTable): boolean => !isOfDirectory && !isPartitioned

interface Finishing {
  readonly tables: Tables
  readonly other: OtherCell
  readonly secretKey: string
  /** Undefined: nothing is there yet. */
  readonly ahead: Copied | undefined
}

async function finish(copying: Copying, { tables, other, secretKey, ahead }: Finishing): Promise<Carried> {
  const { from, to, tenantId } = copying
  const { all, others, lasting } = tables
  await forgetMove(to, tenantId)
  // a day may have begun meanwhile
  await makeDays(to, await missingDays(from, to))
  const { ids, added } = await carryTenant(from, to, tenantId)
  const carried = [...lasting, ...others]
  const rest = ahead ? others : carried
  const copied = await copyTables(copying, rest)
  await compareTables(copying, rest)
  const before = [...(ahead?.tables.values() ?? [])].reduce((sum, { rows }) => sum + rows, 0)
  const rows = before + copied + (await carryMembers(from, to, { tenantId, ids }))
  const resealed =
    other.secretKey === secretKey
      ? 0
      : await resealRows(copying, carried, { from: secretKey, to: other.secretKey, added })
  await passNumbers(to, { cell: other.cell, tenantId, tables: carried.map(({ name }) => name) })
  return { rows, tables: all.length, resealed }
}

async function missingDays(from: pg.Client, to: pg.Client): Promise<{ table: string; days: string[] }[]> {
  const there = new Map((await partitionDays(to)).map(({ table, days }) => [table, days]))
  const here = await partitionDays(from)
  return here.map(({ table, days }) => ({
    table,
    days: days.filter((it) => !there.get(table)?.includes(it)),
  }))
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
