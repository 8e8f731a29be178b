import type pg from 'pg'

/** A table whose rows name their tenant. */
export interface TenantTable {
  readonly name: string
  /** Without those that are worked out of others. */
  readonly columns: readonly string[]
  /** Those of the primary key. */
  readonly key: readonly string[]
  /** Numbers that the database gives; they are never changed. */
  readonly numbered: readonly string[]
  /** It waits for what no table of tenants has: the tenant itself, accounts. */
  readonly isOfDirectory: boolean
  /** In daily partitions, which are dropped one by one. */
  readonly isPartitioned: boolean
}

/** Every table with `tenant_id`, whatever feature it is of; those that others refer to come first. */
export async function tenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<Omit<TenantTable, 'isOfDirectory'> & { refers: string[] }>(`
    select c.relname as name, c.relkind = 'p' as "isPartitioned",
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(a.attname), '[]') from pg_attribute a
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity <> '') as numbered,
      (select coalesce(json_agg(a.attname), '[]') from pg_constraint k
         join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
       where k.conrelid = c.oid and k.contype = 'p') as key,
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
            where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
    order by c.relname`)
  const names = new Set(rows.map(({ name }) => name))
  const sorted: TenantTable[] = []
  let waiting = rows
  while (waiting.length > 0) {
    const placed = new Set(sorted.map(({ name }) => name))
    const ready = waiting.filter(({ refers }) => refers.every((it) => !names.has(it) || placed.has(it)))
    if (ready.length === 0)
      throw new Error(`tables of tenants refer to each other: ${waiting.map(({ name }) => name).join(', ')}`)
    sorted.push(
      ...ready.map(({ refers, ...table }) => ({
        ...table,
        isOfDirectory: refers.some((it) => sorted.find(({ name }) => name === it)?.isOfDirectory ?? true),
      })),
    )
    waiting = waiting.filter((it) => !ready.includes(it))
  }
  return sorted
}

/** The days of which tables in daily partitions have one. */
export async function partitionDays(client: pg.ClientBase): Promise<{ table: string; days: string[] }[]> {
  const { rows } = await client.query<{ table: string; days: string[] }>(`
    select p.relname as "table",
      array_agg(to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') order by c.relname) as days
    from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
    where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace and c.relname ~ '_\\d{8}$'
    group by p.relname`)
  return rows
}
