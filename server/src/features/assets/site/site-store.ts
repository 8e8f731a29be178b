import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/**
 * The columns `site` and `normalized_site`. They are worked out in SQL, from the tables of records, so that the statement
 * that writes an asset writes them too. A place is at most two levels below its site.
 */

/** A row `located` with both columns for the asset `id` at `address`: names of the site, null where it is unknown. */
export const locatedAt = (ctx: Ctx, id: RawBuilder<unknown>, address: RawBuilder<unknown>) => sql`
  left join lateral (
    select coalesce(p2.name, p1.name, p0.name) as site,
      coalesce(p2.normalized_name, p1.normalized_name, p0.normalized_name) as normalized_site
    from places p0
    left join places p1 on p1.tenant_id = ${ctx.tenantId} and p1.id = p0.parent_id
    left join places p2 on p2.tenant_id = ${ctx.tenantId} and p2.id = p1.parent_id
    where p0.tenant_id = ${ctx.tenantId} and p0.id = coalesce(
      (select rec.place_id from asset_records rec where rec.tenant_id = ${ctx.tenantId} and rec.asset_id = ${id}),
      (select n.place_id from place_networks n
        where n.tenant_id = ${ctx.tenantId} and n.network >>= address_order(${address})
        order by masklen(n.network) desc limit 1))
  ) located on true`

export async function idsAfter(ctx: Ctx, after: string, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and id > ${after} order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Writes the site of each of the assets where it is another one than before. The caller holds the tenant's lock. */
export async function updateSites(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await ctx.db.about(ids).run(sql`
    update assets a set site = s.site, normalized_site = s.normalized_site
    from (
      select b.id, located.site, located.normalized_site from assets b ${locatedAt(ctx, sql`b.id`, sql`b.ip_address`)}
      where b.tenant_id = ${ctx.tenantId} and b.id = any(${[...ids]}::uuid[])
    ) s
    where a.tenant_id = ${ctx.tenantId} and a.id = s.id and a.site is distinct from s.site`)
}
