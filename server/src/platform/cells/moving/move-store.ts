import { sql } from 'kysely'
import type pg from 'pg'
import type { Ctx } from '../../context.ts'

/** Where a tenant is on its way, and how far. */
export interface Move {
  readonly id: string
  readonly slug: string
  readonly cell: number
  readonly address: string
  readonly frozenAt: string | null
  readonly movedAt: string | null
}

const columns = sql`id, slug, cell, address, frozen_at as "frozenAt", moved_at as "movedAt"`

export const moveOf = (system: Ctx, slug: string): Promise<Move | undefined> =>
  system.db.maybe(
    sql<Move>`select ${columns} from tenant_moves where slug = ${slug} order by began_at desc limit 1`,
  )

export const movesMade = (system: Ctx): Promise<Move[]> =>
  system.db.all(sql<Move>`select ${columns} from tenant_moves where moved_at is not null order by slug`)

export interface OpenMove extends Pick<Move, 'slug' | 'cell'> {
  /** Since it began, or since it is frozen. */
  readonly seconds: number
  readonly isFrozen: boolean
}

/** Moves that did not come to their end. */
export const openMoves = (system: Ctx): Promise<OpenMove[]> =>
  system.db.all(sql<OpenMove>`
    select slug, cell, frozen_at is not null as "isFrozen",
      extract(epoch from clock_timestamp() - coalesce(frozen_at, began_at))::float8 as seconds
    from tenant_moves where moved_at is null order by began_at`)

/** From now on engines begin nothing for the tenant. */
export async function begin(
  system: Ctx,
  { id, slug, cell, address }: Pick<Move, 'id' | 'slug' | 'cell' | 'address'>,
): Promise<void> {
  await system.db.run(sql`
    insert into tenant_moves (id, slug, cell, address) values (${id}, ${slug}, ${cell}, ${address})
    on conflict (id) do update set cell = excluded.cell, address = excluded.address, frozen_at = null, moved_at = null`)
}

/** From now on nothing is written for the tenant; what a transaction that is under way wrote before is waited for by `ended`. */
export async function freeze(system: Ctx, id: string): Promise<readonly string[]> {
  await system.db.run(sql`update tenant_moves set frozen_at = clock_timestamp() where id = ${id}`)
  return underWay(system)
}

/**
 * Transactions that have written and not ended. Those of other databases of the same server are none of ours: one of them
 * may be that which brings the tenant.
 */
export async function underWay(system: Ctx): Promise<readonly string[]> {
  const rows = await system.db.all(sql<{ xid: string }>`
    select x::text as xid from pg_snapshot_xip(pg_current_snapshot()) x where not exists (
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted and l.transactionid = x::xid
        and a.datname <> current_database())`)
  return rows.map(({ xid }) => xid)
}

export async function areEnded(system: Ctx, xids: readonly string[]): Promise<boolean> {
  const { open } = await system.db.one(sql<{ open: number }>`
    select count(*) as open from unnest(${xids}::text[]) x where pg_xact_status(x::xid8) = 'in progress'`)
  return open === 0
}

/** The names of jobs that a worker is at. */
export async function runningJobs(system: Ctx, tenantId: string): Promise<readonly string[]> {
  const rows = await system.db.all(sql<{ name: string }>`
    select distinct name from jobs where tenant_id = ${tenantId} and leased_until > clock_timestamp() order by name`)
  return rows.map(({ name }) => name)
}

export async function cancel(system: Ctx, id: string): Promise<boolean> {
  return (await system.db.run(sql`delete from tenant_moves where id = ${id} and moved_at is null`)) > 0
}

/** Columns with digests by which requests are known, in tables of tenants. */
const DIGESTS = ['key_hash', 'token_hash', 'key_id', 'enrolment_hash']

/**
 * The tenant is served elsewhere: nobody gets in with its keys any more, and whoever shows one is told where to go. As the owner
 * of the tables, in the caller's transaction.
 */
export async function noteMoved(client: pg.ClientBase, id: string): Promise<void> {
  await client.query('update tenant_moves set moved_at = clock_timestamp() where id = $1', [id])
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as "table", k.attname as "column" from pg_class c
       join pg_attribute k on k.attrelid = c.oid and k.attname = any($1::text[]) and k.atttypid = 'bytea'::regtype
       join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
    [DIGESTS],
  )
  for (const { table, column } of rows) {
    await client.query(
      `insert into moved_keys (key_hash, move_id) select "${column}", $1 from public."${table}"
       where tenant_id = $1 and "${column}" is not null on conflict (key_hash) do update set move_id = excluded.move_id`,
      [id],
    )
    // the rows go later, with those that refer to them
    await client.query(
      `update public."${table}" set "${column}" = sha256(uuid_send(gen_random_uuid()))
       where tenant_id = $1 and "${column}" is not null`,
      [id],
    )
  }
}

/** It has come back, or had never gone. */
export const forgetMove = (client: pg.ClientBase, id: string): Promise<unknown> =>
  client.query('delete from tenant_moves where id = $1', [id])
