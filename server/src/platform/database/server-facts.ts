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
}

const EXTENSIONS = ['pg_trgm', 'btree_gin']
const ROLES = ['rollcall_app', 'rollcall_system']

export async function databaseFacts(where: DatabaseAddress): Promise<DatabaseFacts> {
  const { client } = await connectPrimary(directly(where))
  try {
    const { rows } = await client.query<DatabaseFacts>(FACTS, [EXTENSIONS, ROLES])
    return rows[0] as DatabaseFacts
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
               where name not in (select pg_available_extensions.name from pg_available_extensions)) as "missingExtensions"`
