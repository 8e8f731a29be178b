import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { likeOf, SEPARATOR, type ListEntry, type SoftwareList, type SoftwarePattern } from './list-entry.ts'

/** Table `software_list_entries`. */

export interface CountedEntry extends ListEntry {
  /** How many distinct pieces of installed software it means. */
  readonly software: number
}

/** By list, name and vendor. */
export async function entries(
  ctx: Ctx,
  { limit, offset }: Page,
  list: SoftwareList | undefined,
): Promise<Listed<CountedEntry>> {
  const rows = await ctx.db.all(sql<CountedEntry & { readonly total: number; readonly place: number | null }>`
    with found as materialized (
      select e.*, row_number() over (order by e.list desc, lower(e.name), lower(e.vendor), e.pattern) as place
      from software_list_entries e
      where e.tenant_id = ${ctx.tenantId} and (${list ?? null}::text is null or e.list = ${list ?? null}::text)
    )
    select t.total, p.list, p.name, p.vendor, p.reason, p.place, (
      select count(*) from software s where s.tenant_id = ${ctx.tenantId} and s.installs > 0 and s.origin <> 'os'
        and ${textOf} like p.pattern)::int as software
    from (select count(*) as total from found) t left join (
      select * from found order by place limit ${limit} offset ${offset}
    ) p on true
    order by p.place`)
  const items = rows.filter(({ place }) => place !== null)
  return {
    items: items.map(({ total: _total, place: _place, ...entry }) => entry),
    total: rows[0]?.total ?? 0,
  }
}

const textOf = sql`(s.normalized_name || ${SEPARATOR}::text || lower(s.vendor))`

/** How many entries the list has. */
export async function countEntries(ctx: Ctx, list: SoftwareList): Promise<number> {
  const { n } = await ctx.db.one(sql<{ n: number }>`
    select count(*)::int as n from software_list_entries where tenant_id = ${ctx.tenantId} and list = ${list}`)
  return n
}

/** Replaces the reason of an entry that is there already. */
export async function saveEntry(ctx: Ctx, entry: ListEntry): Promise<void> {
  const { list, name, vendor, reason } = entry
  await ctx.db.run(sql`
    insert into software_list_entries (tenant_id, list, pattern, name, vendor, reason, created_at)
    values (${ctx.tenantId}, ${list}, ${likeOf(entry)}, ${name}, ${vendor}, ${reason}, ${ctx.now()})
    on conflict (tenant_id, list, pattern) do update
      set name = excluded.name, vendor = excluded.vendor, reason = excluded.reason`)
}

/** False: there is none. */
export async function removeEntry(ctx: Ctx, entry: SoftwarePattern): Promise<boolean> {
  const removed = await ctx.db.all(sql`
    delete from software_list_entries
    where tenant_id = ${ctx.tenantId} and list = ${entry.list} and pattern = ${likeOf(entry)}
    returning pattern`)
  return removed.length > 0
}

/**
 * Whether an entry of the list means the software `s`; NULL while the list is empty. The array is read once for each
 * statement.
 */
export const isListed = (ctx: Ctx, list: SoftwareList): RawBuilder<boolean | null> => sql`
  (${textOf} like any (nullif(array(
    select le.pattern from software_list_entries le where le.tenant_id = ${ctx.tenantId} and le.list = ${list}), '{}')))`

/** How many entries the list has; NULL where it has none. */
export const entryCount = (ctx: Ctx, list: SoftwareList): RawBuilder<number | null> => sql`
  (select nullif(count(*), 0)::int from software_list_entries ln
    where ln.tenant_id = ${ctx.tenantId} and ln.list = ${list})`

/** Why the software `s` is on the list: the reason of its first entry that has one. */
export const listedReason = (ctx: Ctx, list: SoftwareList): RawBuilder<string | null> => sql`
  (select lr.reason from software_list_entries lr
    where lr.tenant_id = ${ctx.tenantId} and lr.list = ${list} and lr.reason <> '' and ${textOf} like lr.pattern
    order by lr.pattern limit 1)`
