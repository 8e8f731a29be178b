import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'

/**
 * Every transaction that writes for a tenant replaces the tenant's version, in its own commit and last of all. So two
 * equal versions mean that nothing of the tenant changed between them.
 */

/** `for update` and the like only lock. */
const WRITES =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate|(?<!\bfor\s)(?<!\bfor\s+no\s+key\s)update)\b/i

export const mayWrite = (statement: string): boolean => WRITES.test(statement)

/** Random, so that a database restored from a backup does not come to a version that it had before. */
export const replaceVersion = (tenantId: string): RawBuilder<unknown> => sql`
  insert into tenant_versions (tenant_id, version)
  select ${tenantId}::uuid, ${randomUUID()}::uuid where pg_current_xact_id_if_assigned() is not null
  on conflict (tenant_id) do update set version = excluded.version`

/** No row before the first change. */
export const readVersion = (tenantId: string): RawBuilder<{ version: string }> =>
  sql<{ version: string }>`select version from tenant_versions where tenant_id = ${tenantId}`
