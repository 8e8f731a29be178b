import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { directly, type DatabaseAddress } from '../database/address.ts'
import { connectPrimary, destroy } from '../database/connect-primary.ts'
import {
  BACKUP_HEAD,
  BACKUP_SUMS,
  countRows,
  digestOf,
  memberOf,
  packed,
  type BackupHead,
  type BackupSums,
} from './backup-contents.ts'
import type { BackupWriter } from './backup-file.ts'

export interface DumpProgress {
  readonly tables: number
  readonly tablesDone: number
  readonly rows: number
}

const CHUNK_BYTES = 8_388_608
/** Rows of these say which processes run and which migrations there are: the one does not outlive the moment, the other is made. */
const LEFT_OUT = ['migrations', 'nodes']

/**
 * Writes all rows of the database as they are at one moment, while others go on writing. One transaction holds the snapshot
 * and touches no table; each table is read in a short one of its own, so that none stays locked against the upkeep of
 * partitions. Unlogged tables, which a crash empties too, are left out. Resolves with the count of rows.
 */
export async function dumpDatabase(
  where: DatabaseAddress,
  file: BackupWriter,
  version: string,
  onProgress: (progress: DumpProgress) => void,
): Promise<number> {
  const { client: holder } = await connectPrimary(directly(where))
  const { client } = await connectPrimary(directly(where))
  try {
    await holder.query('set idle_in_transaction_session_timeout = 0')
    await client.query('set statement_timeout = 0')
    await holder.query('begin transaction isolation level repeatable read, read only')
    const { rows: exported } = await holder.query<{ id: string }>('select pg_export_snapshot() as id')
    const inSnapshot = <T>(work: () => Promise<T>) => withSnapshot(client, exported[0]?.id ?? '', work)
    const head = await inSnapshot(() => describe(client, version))
    const sums: BackupSums = { rows: {}, sha256: {} }
    async function add(name: string, content: Buffer): Promise<void> {
      sums.sha256[name] = digestOf(content)
      await file.add(name, content)
    }
    await add(BACKUP_HEAD, jsonOf(head))
    let rows = 0
    for (const [index, table] of head.tables.entries()) {
      onProgress({ tables: head.tables.length, tablesDone: index, rows })
      rows += sums.rows[table.name] = await inSnapshot(() => dumpTable(client, table, add))
    }
    await file.add(BACKUP_SUMS, jsonOf(sums))
    return rows
  } finally {
    destroy(client)
    destroy(holder)
  }
}

async function withSnapshot<T>(client: pg.Client, snapshot: string, work: () => Promise<T>): Promise<T> {
  await client.query('begin transaction isolation level repeatable read, read only')
  await client.query(`set transaction snapshot '${snapshot}'`)
  const result = await work()
  await client.query('commit')
  return result
}

const jsonOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`)

async function dumpTable(
  client: pg.Client,
  { name, columns }: BackupHead['tables'][number],
  add: (name: string, content: Buffer) => Promise<void>,
): Promise<number> {
  const list = columns.map((it) => `"${it}"`).join(', ')
  const stream = client.query(copyTo(`copy (select ${list} from public."${name}") to stdout`))
  let parts: Buffer[] = []
  let bytes = 0
  let count = 0
  let rows = 0
  async function flush(): Promise<void> {
    const text = Buffer.concat(parts)
    parts = []
    bytes = 0
    rows += countRows(text)
    await add(memberOf(name, ++count), await packed(text))
  }
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes >= CHUNK_BYTES) await flush()
  }
  if (bytes > 0) await flush()
  return rows
}

async function describe(client: pg.Client, version: string): Promise<BackupHead> {
  const { rows } = await client.query<{ head: Omit<BackupHead, 'format' | 'version'> }>(DESCRIPTION, [
    LEFT_OUT,
  ])
  const head = rows[0]?.head
  if (!head) throw new Error('the database did not describe itself')
  return { format: 1, version, ...head }
}

const DESCRIPTION = `
  select json_build_object(
    'taken_at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'postgresql', current_setting('server_version'),
    'migrations', (select json_agg(json_build_object('name', name, 'digest', digest) order by name) from public.migrations),
    'key_check', (select encode(key_check, 'base64') from public.installation),
    'tables', (
      select json_agg(json_build_object('name', name, 'columns', columns) order by name)
      from (
        select c.relname as name, json_agg(a.attname order by a.attnum) as columns
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and c.relpersistence = 'p' and c.relname <> all($1::text[])
        group by c.relname
      ) t
    ),
    'days', (
      select coalesce(json_agg(json_build_object('table', name, 'days', days) order by name), '[]')
      from (
        select p.relname as name, json_agg(to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') order by c.relname) as days
        from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
        where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace and c.relname ~ '_\\d{8}$'
        group by p.relname
      ) t
    ),
    'sequences', (
      select coalesce(json_agg(json_build_object('name', sequencename, 'last', last_value::text) order by sequencename), '[]')
      from pg_sequences where schemaname = 'public'
    )
  ) as head`
