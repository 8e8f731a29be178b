import { directly, type DatabaseAddress } from './address.ts'
import { connectPrimary } from './connect-primary.ts'

/** What a database is and lets us do, as the role that owns it. */
export interface DatabaseFacts {
  readonly version: string
  /** As PostgreSQL counts: 180004 is 18.4. */
  readonly versionNumber: number
  readonly isUtf8: boolean
  /** Tables in the schema public, and extensions in the database. */
  readonly mayCreate: boolean
  /** The two roles that the product steps into exist and are ours, or we may make them. */
  readonly hasRoles: boolean
  readonly missingExtensions: readonly string[]
  readonly replicas: readonly Replica[]
  /** How far its clock is ahead of ours, in milliseconds; half of what the question took is not counted as a difference. */
  readonly clockAheadMs: number
}

/** Who receives the write-ahead log. What the role may not see (it needs pg_monitor) is null. */
export interface Replica {
  readonly name: string
  readonly syncState: string | null
  /** Of the log, written here and not yet replayed there. */
  readonly bytesBehind: number | null
}

const EXTENSIONS = ['pg_trgm', 'btree_gin']
const ROLES = ['rollcall_app', 'rollcall_system']

export async function databaseFacts(where: DatabaseAddress): Promise<DatabaseFacts> {
  const { client } = await connectPrimary(directly(where))
  try {
    const { rows } = await client.query<Omit<DatabaseFacts, 'clockAheadMs'>>(FACTS, [EXTENSIONS, ROLES])
    const facts = rows[0] as Omit<DatabaseFacts, 'clockAheadMs'>
    const asked = Date.now()
    const clock = await client.query<{ now: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    )
    const answered = Date.now()
    const ahead = (clock.rows[0]?.now ?? Number.NaN) - (asked + answered) / 2
    const unsure = (answered - asked) / 2
    return { ...facts, clockAheadMs: Math.sign(ahead) * Math.max(0, Math.abs(ahead) - unsure) }
  } finally {
    await client.end()
  }
}

const FACTS = `
  select current_setting('server_version') as version,
         current_setting('server_version_num')::int as "versionNumber",
         current_setting('server_encoding') = 'UTF8' as "isUtf8",
         has_database_privilege(current_database(), 'create')
           and has_schema_privilege('public', 'create') as "mayCreate",
         (select rolcreaterole or rolsuper from pg_roles where rolname = current_user)
           or (select count(*) = cardinality($2::text[]) from pg_roles
               where rolname = any($2) and pg_has_role(current_user, oid, 'member')) as "hasRoles",
         array(select name from unnest($1::text[]) name
               where name not in (select pg_available_extensions.name from pg_available_extensions)) as "missingExtensions",
         (select coalesce(json_agg(json_build_object(
                   'name', application_name,
                   'syncState', sync_state,
                   'bytesBehind', pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8)
                 order by application_name, pid), '[]')
          from pg_stat_replication where state is null or state in ('streaming', 'catchup')) as replicas`
