import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { KevEntry, Lifecycle, EpssScore } from '../advisory.ts'
import type { AdvisoryRecord } from './advisory-record.ts'
import type { PackageKey, PackageRules } from './package-rules.ts'

/** Records with one of the names (ids or aliases), one row for each name and record, by name and feed. */
export function recordsNamed(
  ctx: Ctx,
  names: readonly string[],
): Promise<readonly (AdvisoryRecord & { readonly name: string })[]> {
  return ctx.db.all(sql<AdvisoryRecord & { name: string }>`
    select named.name, a.feed, a.id, a.state, a.is_disputed as "isDisputed", a.cve_ids as "cveIds", a.severity,
      a.body ->> 'description' as description, a.body ->> 'publishedAt' as "publishedAt",
      a.body ->> 'modifiedAt' as "modifiedAt", a.body -> 'scores' as scores, a.body -> 'ssvc' as ssvc, a.body -> 'weaknesses' as weaknesses,
      a.body -> 'references' as references
    from advisory_names named join advisories a using (feed, key)
    where named.name = any(${names}::text[])
    order by named.name, a.feed, a.key`)
}

/** For ids that are not CVE ids: the CVE ids of records that share an alias. */
export function cveIdsOf(
  ctx: Ctx,
  names: readonly string[],
): Promise<readonly { name: string; cveIds: string[] }[]> {
  return ctx.db.all(sql<{ name: string; cveIds: string[] }>`
    select asked.name, array_agg(distinct cve_id) as "cveIds"
    from advisory_names asked
    join advisory_names other using (feed, key)
    join advisory_names same on same.name = other.name
    join advisories a on a.feed = same.feed and a.key = same.key and a.state = 'published',
      unnest(a.cve_ids) as cve_id
    where asked.name = any(${names}::text[])
    group by asked.name`)
}

export function kevEntriesOf(ctx: Ctx, cveIds: readonly string[]): Promise<readonly KevEntry[]> {
  return ctx.db.all(sql<KevEntry>`
    select cve_id as "cveId", added_on as "addedOn", due_on as "dueOn", is_by_ransomware as "isByRansomware"
    from exploited_cves where cve_id = any(${cveIds}::text[])`)
}

export function epssScoresOf(ctx: Ctx, cveIds: readonly string[]): Promise<readonly EpssScore[]> {
  return ctx.db.all(sql<EpssScore>`
    select cve_id as "cveId", epss, percentile from cve_likelihoods where cve_id = any(${cveIds}::text[])`)
}

/** The rules of the given packages, in the order of package, feed and record. */
export function rulesOf(ctx: Ctx, keys: readonly PackageKey[]): Promise<readonly PackageRules[]> {
  return ctx.db.all(sql<PackageRules>`
    select r.ecosystem, r.package, r.feed, r.advisory_id as "advisoryId", r.cve_ids as "cveIds",
      r.is_disputed as "isDisputed", r.rules
    from (select distinct * from unnest(${keys.map((it) => it.ecosystem)}::text[],
      ${keys.map((it) => it.package)}::text[]) asked (ecosystem, package)) asked
    join advisory_rules r using (ecosystem, package)
    order by r.ecosystem, r.package, r.feed, r.key`)
}

export function generation(ctx: Ctx): Promise<{ readonly generation: number; readonly forgotten: number }> {
  return ctx.db.one(
    sql<{ generation: number; forgotten: number }>`select generation, forgotten from catalogue`,
  )
}

/** At most `limit`; CVE ids have an empty ecosystem. */
export function changesBetween(
  ctx: Ctx,
  { after, until }: { readonly after: number; readonly until: number },
  limit: number,
): Promise<readonly PackageKey[]> {
  return ctx.db.all(sql<PackageKey>`
    select distinct ecosystem, name as package from catalogue_changes
    where generation > ${after} and generation <= ${until} limit ${limit}`)
}

export async function epssChangesBetween(
  ctx: Ctx,
  { after, until }: { readonly after: number; readonly until: number },
  limit: number,
): Promise<readonly string[]> {
  const rows = await ctx.db.all(sql<{ cve_id: string }>`
    select cve_id from cve_likelihoods where generation > ${after} and generation <= ${until} limit ${limit}`)
  return rows.map((it) => it.cve_id)
}

export async function lifecycles(ctx: Ctx): Promise<readonly Lifecycle[]> {
  const rows = await ctx.db.all(sql<{ body: Lifecycle }>`select body from lifecycles order by product`)
  return rows.map((it) => it.body)
}
