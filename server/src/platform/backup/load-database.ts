import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { DatabaseAddress } from '../database/address.ts'
import { withOwner } from '../database/connect-primary.ts'
import { conflict } from '../errors.ts'
import { readBackupRows, type BackupHead, type BackupRows } from './backup-contents.ts'

/** What stands where a backup is to go. */
export interface Occupants {
  /** Tables of the schema public that are ours. */
  readonly isOurs: boolean
  /** An installation that was started at least once. */
  readonly isFounded: boolean
  /** Tables of somebody else. */
  readonly hasOthers: boolean
  /** Processes that were heard of in the last half minute, as host (pid). */
  readonly nodes: readonly string[]
}

export function occupantsOf(where: DatabaseAddress): Promise<Occupants> {
  return withOwner(where, async (client) => {
    const { rows } = await client.query<{ isOurs: boolean; tables: number }>(`
      select to_regclass('public.migrations') is not null as "isOurs",
        (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')) as tables`)
    const { isOurs = false, tables = 0 } = rows[0] ?? {}
    if (!isOurs) return { isOurs, isFounded: false, hasOthers: tables > 0, nodes: [] }
    const state = await client.query<{ isFounded: boolean; nodes: string[] }>(`
      select exists (select from public.installation where founded_at is not null) as "isFounded",
        array(select format('%s (%s)', host, pid) from public.nodes
              where beat_at > clock_timestamp() - interval '30 seconds') as nodes`)
    return { isOurs, hasOthers: false, isFounded: false, nodes: [], ...state.rows[0] }
  })
}

/** Removes all tables, functions and types of the schema public. */
export const clearDatabase = (where: DatabaseAddress): Promise<void> =>
  withOwner(where, async (client) => {
    await client.query(
      'begin; drop schema public cascade; create schema public; grant usage on schema public to public; commit',
    )
  })

/**
 * Puts the rows of a backup into tables that its migrations have made, in one transaction: all or nothing. Throws `conflict`
 * when the file is not whole, or a table takes another number of rows than it had.
 */
export const loadDatabase = (where: DatabaseAddress, path: string, head: BackupHead): Promise<number> =>
  withOwner(where, async (client) => {
    await client.query('begin')
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    const references = await dropReferences(client)
    await makeDays(client, head.days)
    const tables = head.tables.map(({ name }) => `public."${name}"`)
    await client.query(`truncate ${tables.join(', ')}`)
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    const rows = await copyRows(client, path, head)
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
    for (const { name, last } of head.sequences)
      if (last !== null)
        await client.query('select setval($1::regclass, $2::bigint)', [`public."${name}"`, last])
    for (const statement of references) await client.query(statement)
    await client.query('commit')
    await client.query('analyze')
    return rows
  })

/** Tables come in the order of their names, not in that of their references; answers what makes these again. */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`)
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
  )
}

/** Old rows belong into partitions of their days, which the upkeep drops in time. */
export async function makeDays(client: pg.Client, days: BackupHead['days']): Promise<void> {
  for (const { table, days: all } of days)
    for (const day of all) {
      const partition = `public."${table}_${day.replaceAll('-', '')}"`
      await client.query(`
        create table if not exists ${partition} partition of public."${table}"
        for values from ('${day} 00:00+00') to (('${day}'::date + 1)::timestamp at time zone 'UTC')`)
      await client.query(`alter table ${partition} enable row level security`)
    }
}

async function copyRows(client: pg.Client, path: string, { tables }: BackupHead): Promise<number> {
  const columns = new Map(tables.map((it) => [it.name, it.columns.map((column) => `"${column}"`).join(', ')]))
  const parts = readBackupRows(path)[Symbol.asyncIterator]()
  let next = await parts.next()
  async function* textOf(table: string): AsyncIterable<Buffer> {
    while (!next.done && next.value.table === table) {
      yield next.value.text
      next = await parts.next()
    }
  }
  let rows = 0
  while (!next.done) {
    const { table }: BackupRows = next.value
    const list = columns.get(table)
    if (list === undefined) throw conflict(`${path} has rows of ${table}, which it does not describe`)
    const copy = client.query(copyFrom(`copy public."${table}" (${list}) from stdin`))
    await pipeline(textOf(table), copy)
    rows += copy.rowCount
  }
  return rows
}
