import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export async function closedTenants(system: Ctx): Promise<readonly string[]> {
  const found = await system.db.all(sql<{ id: string }>`
    select id from tenants where closed_at is not null order by closed_at`)
  return found.map(({ id }) => id)
}

/** All tables whose rows name a tenant, whatever feature they are of. */
export async function tablesOfTenants(system: Ctx): Promise<readonly string[]> {
  const found = await system.db.all(sql<{ name: string }>`
    select c.oid::regclass::text as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not a.attisdropped
    order by name`)
  return found.map(({ name }) => name)
}

/** How many rows went; -1 while others refer to them. */
export async function deleteRows(
  system: Ctx,
  { tenantId, table, most }: { readonly tenantId: string; readonly table: string; readonly most: number },
): Promise<number> {
  const { deleted } = await system.db.one(sql<{ deleted: number }>`
    select delete_closed_tenant_rows(${tenantId}, ${table}::regclass, ${most})::int as deleted`)
  return deleted
}

/** What still ran when a tenant was closed has ended by then. */
const LAST_WRITES = '15 minutes'

/** With the accounts that its identity provider vouched for; not before its last writes are over. */
export async function deleteTenant(system: Ctx, tenantId: string): Promise<void> {
  await system.db.run(sql`delete from users where managed_by = ${tenantId}`)
  await system.db.run(sql`
    delete from tenants where id = ${tenantId} and closed_at < clock_timestamp() - ${LAST_WRITES}::interval`)
}
