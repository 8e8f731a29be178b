import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { SearchTerm } from './search-term.ts'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'

/** The app's search box. The API's search is `search` in newest-first-store.ts. */

/**
 * Arguments of the search functions in the database: the term in search spelling, the pattern for its index, and part
 * of a MAC address.
 */
function argumentsOf({ text, mac }: Extract<SearchTerm, { by: 'text' }>) {
  const term = sql`${searchSpelling(text)}::text`
  return {
    term,
    pattern: sql`search_pattern(${term})`,
    mac: sql`${mac === undefined ? null : `%${mac}%`}::text`,
  }
}

/** The ids of matching assets, at most `most` (null: all). */
export function matchingIds(term: SearchTerm, most: number | null): RawBuilder<{ id: string }> {
  const limit = sql`${most}::bigint`
  if (term.by === 'network')
    return sql<{ id: string }>`select find_assets_in(${term.network}::inet, ${limit}) as id`
  const given = argumentsOf(term)
  return sql<{
    id: string
  }>`select find_assets_by_any(${given.pattern}, ${given.term}, ${given.mac}, ${limit}) as id`
}

export async function countMatches(ctx: Ctx, term: SearchTerm): Promise<number> {
  const { n } = await ctx.db.one(
    term.by === 'network'
      ? sql<{ n: number }>`select count(*) as n from (${matchingIds(term, null)}) found`
      : counted(term),
  )
  return n
}

function counted(term: Extract<SearchTerm, { by: 'text' }>): RawBuilder<{ n: number }> {
  const given = argumentsOf(term)
  return sql<{ n: number }>`select count_assets_by_any(${given.pattern}, ${given.term}, ${given.mac}) as n`
}

/**
 * Whether the asset `a` matches, as a condition of a scan in sort order: for terms that match many assets. A scalar
 * subquery, because the planner turns `exists` into a join that reads all search texts for one page.
 */
export function isMatch(ctx: Ctx, term: SearchTerm): RawBuilder<unknown> {
  if (term.by === 'network') {
    const isWithin = (address: RawBuilder<unknown>) =>
      sql`address_order(${address}) <<= ${term.network}::inet`
    return sql`(${isWithin(sql`a.ip_address`)} or exists (
      select from asset_observations o join asset_identifiers i on i.tenant_id = ${ctx.tenantId} and i.observation_id = o.id
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id and i.type = 'ip' and i.last_seen is null
        and ${isWithin(sql`i.value`)}))`
  }
  const { term: text, mac } = argumentsOf(term)
  return sql`(
    select strpos(s.text, ${text}) > 0 or strpos(s.attributes, ${text}) > 0 or coalesce(s.attributes like ${mac}, false)
    from asset_search s where s.tenant_id = ${ctx.tenantId} and s.asset_id = a.id)`
}
