import { sql, type RawBuilder } from 'kysely'
import { searchSpelling } from '#platform/conditions/normalize-text.ts'
import type { Filter } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { findingWeight, isExploited as isKnownExploited, weighing } from '../risk/finding-weights-store.ts'
import type { FindingQuery, FindingSort } from './finding-query.ts'
import type { FindingStatus, ListedFinding } from './finding.ts'
import type { Severity } from '#features/advisories/advisory.ts'
import { tenthsFrom } from '../severity.ts'

/** The app's search for findings: filters, order, page and total. */

export const listedColumns = sql`f.id, f.cve_id as "cveId", f.severity, f.score::float8 / 10 as "cvssScore", v.description,
  f.asset_id as "assetId", v.affected_assets as "affectedAssets", f.status, f.grade as "matchType", f.confidence,
  f.software, f.fixed_version as "fixedVersion", f.found_at as "foundAt", f.changed_at as "changedAt",
  coalesce(a.name, '') as "assetName", v.epss, v.kev_added_on as "kevAddedOn", v.is_scored as "isScored",
  f.is_unconfirmed as "isUnconfirmed",
  f.override_id as "overrideId", f.rating_override_id as "ratingOverrideId"`

const orders: Readonly<Record<FindingSort, RawBuilder<unknown>>> = {
  score: sql`f.score`,
  foundAt: sql`f.found_at`,
  changedAt: sql`f.changed_at`,
  epss: sql`coalesce(v.epss, 0)`,
  cveId: sql`f.cve_id`,
  assetName: sql`lower(sa.name)`,
  software: sql`lower(f.software)`,
  status: sql`f.status`,
  confidence: sql`f.confidence`,
  affectedAssets: sql`v.affected_assets`,
}

/** What the order reads beside: joined, all names are read once, and not one for each finding. */
const orderedWith = (ctx: Ctx, { sort }: FindingQuery) =>
  sort === 'assetName'
    ? sql`left join assets sa on sa.tenant_id = ${ctx.tenantId} and sa.id = f.asset_id`
    : sql``

export const findingsWithFacts = (ctx: Ctx) => sql`findings f
  join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = f.cve_id`
export const withAsset = (ctx: Ctx) =>
  sql`left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = f.asset_id`

/** What is known of the answer before it is read. */
export interface Known {
  readonly total: number
  /** Of the page; absent: only how many there are is known. */
  readonly ids?: readonly string[] | undefined
}

/** Total and page of one snapshot, unless they are known. */
export async function search(
  ctx: Ctx,
  { limit, offset }: Page,
  query: FindingQuery,
  { filter, known }: { readonly filter?: Filter; readonly known?: Known } = {},
): Promise<Listed<ListedFinding>> {
  const tables = filter?.from ?? (needsFacts(query) ? findingsWithFacts(ctx) : sql`findings f`)
  const where = filter ? sql`${conditions(ctx, query)} and ${filter.where}` : conditions(ctx, query)
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const order = sql`${orders[query.sort ?? 'score']} ${direction}, f.id ${direction}`
  const ids = known?.ids
    ? sql`select id from unnest(${[...known.ids]}::uuid[]) as id`
    : sql`select f.id from ${tables} ${orderedWith(ctx, query)} where ${where}
        order by ${order} limit ${limit} offset ${offset}`
  const ask = filter && !known ? ctx.db.cached : ctx.db.all
  const rows = await ask(sql<(ListedFinding | { id: null }) & { total: number }>`
    with total as materialized (${known ? sql`select ${known.total}::bigint as n` : totalOf(ctx, query, { tables, where })}),
    page as materialized (select id, row_number() over () as place from (${ids}) sorted)
    select t.n as total, p.* from total t left join (
      select page.place, each.* from page cross join lateral (
        select ${listedColumns} from ${findingsWithFacts(ctx)} ${withAsset(ctx)}
        where f.tenant_id = ${ctx.tenantId} and f.id = page.id limit 1
      ) each
    ) p on true
    order by p.place`)
  const items = rows.flatMap(({ total: _total, ...row }) => {
    const { place: _place, ...item } = row as ListedFinding & { place?: number }
    return row.id === null ? [] : [item as ListedFinding]
  })
  return { items, total: rows[0]?.total ?? 0 }
}

const totalOf = (
  ctx: Ctx,
  query: FindingQuery,
  { tables, where }: { readonly tables: RawBuilder<unknown>; readonly where: RawBuilder<unknown> },
): RawBuilder<unknown> =>
  !query.where && isCounted(query)
    ? counted(ctx, query)
    : sql`select count(*) as n from ${tables} where ${where}`

/** Whether `finding_counts`, kept by status and severity, answers the total. */
const isCounted = ({
  cveId,
  assetId,
  isExploited,
  matchType,
  search,
  hasFix,
  cvssMin,
}: FindingQuery): boolean =>
  [cveId, assetId, isExploited, matchType, search, hasFix, cvssMin].every(
    (it) => it === undefined || it === '',
  )

const needsFacts = ({ isExploited, sort }: FindingQuery): boolean =>
  isExploited !== undefined || sort === 'epss' || sort === 'affectedAssets'

const counted = (ctx: Ctx, { status, severity }: FindingQuery) => sql`
  select coalesce(sum(n), 0)::bigint as n from finding_counts where tenant_id = ${ctx.tenantId}
    and ${status ? sql`status = ${status}` : sql`true`} and ${severity ? sql`severity = ${severity}` : sql`true`}`

export function conditions(ctx: Ctx, query: FindingQuery): RawBuilder<unknown> {
  const { status, severity, cveId, assetId, isExploited, matchType, search, hasFix, cvssMin } = query
  const given = [
    sql`f.tenant_id = ${ctx.tenantId}`,
    // an archived asset still tells what it had
    !assetId && sql`not f.is_archived`,
    status && sql`f.status = ${status}`,
    severity && sql`f.severity = ${severity}`,
    cveId && sql`f.cve_id = ${cveId}`,
    assetId && sql`f.asset_id = ${assetId}`,
    matchType && sql`f.grade = ${matchType}`,
    cvssMin !== undefined && sql`f.score >= ${tenthsFrom(cvssMin)}`,
    isExploited !== undefined && sql`${isKnownExploited} = ${isExploited}`,
    hasFix !== undefined && sql`(f.fixed_version <> '') = ${hasFix}`,
    search && found(ctx, search.toLowerCase()),
  ].filter((it) => it !== undefined && it !== false && it !== '')
  return sql.join(given, sql` and `)
}

/**
 * Matches the CVE id, the software and the texts that name the asset, case-insensitive.
 */
const found = (ctx: Ctx, text: string) => sql`(
  strpos(lower(f.cve_id), ${text}) > 0 or strpos(lower(f.software), ${text}) > 0
  or f.asset_id in (select s.asset_id from asset_search s where s.tenant_id = ${ctx.tenantId} and strpos(s.text, ${searchSpelling(text)}) > 0))`

export function findListed(ctx: Ctx, id: string): Promise<ListedFinding | undefined> {
  return ctx.db.maybe(sql<ListedFinding>`
    select ${listedColumns} from ${findingsWithFacts(ctx)} ${withAsset(ctx)} where f.tenant_id = ${ctx.tenantId} and f.id = ${id}`)
}

export interface Count {
  readonly status: FindingStatus
  readonly severity: Severity
  readonly count: number
}

export function counts(ctx: Ctx, cveId?: string): Promise<Count[]> {
  if (cveId !== undefined)
    return ctx.db.all(sql<Count>`
      select status, severity, count(*) as count from findings
      where tenant_id = ${ctx.tenantId} and cve_id = ${cveId} and not is_archived group by status, severity order by status, severity`)
  return ctx.db.all(sql<Count>`
    select status, severity, sum(n)::bigint as count from finding_counts
    where tenant_id = ${ctx.tenantId} group by status, severity having sum(n) > 0 order by status, severity`)
}

/** As `counts` of all CVEs, without findings of stale assets. */
export async function countsOfFresh(ctx: Ctx): Promise<readonly Count[]> {
  return ctx.db.cached(sql<Count>`
    select status, severity, sum(n)::bigint as count from (
      select status, severity, n from finding_counts where tenant_id = ${ctx.tenantId}
      union all
      select f.status, f.severity, -count(*) ${ofStaleAssets(ctx)} group by f.status, f.severity
    ) each group by status, severity having sum(n) > 0 order by status, severity`)
}

/** Assets that are left out of the overview although they have open findings. */
export async function countStaleAssets(ctx: Ctx): Promise<number> {
  const [row] = await ctx.db.cached(sql<{ n: number }>`
    select count(distinct f.asset_id)::int as n ${ofStaleAssets(ctx)} and f.status = 'open'`)
  return row?.n ?? 0
}

const ofStaleAssets = (ctx: Ctx) => sql`
  from assets a join findings f on f.tenant_id = ${ctx.tenantId} and f.asset_id = a.id
  where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.stale_since is not null`

export interface TopCve {
  readonly cveId: string
  readonly severity: Severity
  readonly cvssScore: number
  readonly affectedAssets: number
  readonly epss: number | null
  readonly kevAddedOn: string | null
  readonly description: string
}

/** By the weight that a sure match of each has, then by number of affected assets; stale assets do not count. */
export function topCves(ctx: Ctx, limit: number): Promise<readonly TopCve[]> {
  return ctx.db.cached(sql<TopCve>`
    with stale as materialized (
      select f.cve_id, count(*)::int as n ${ofStaleAssets(ctx)} and f.status = 'open' group by f.cve_id
    )
    select v.cve_id as "cveId", v.severity, v.score::float8 / 10 as "cvssScore",
      v.affected_assets - coalesce(s.n, 0) as "affectedAssets", v.epss, v.kev_added_on as "kevAddedOn", v.description
    from vulnerabilities v left join stale s on s.cve_id = v.cve_id
    cross join lateral (select v.score, 'exact' as grade) f ${weighing}
    where v.tenant_id = ${ctx.tenantId} and v.affected_assets > coalesce(s.n, 0)
    order by ${findingWeight} desc, v.affected_assets - coalesce(s.n, 0) desc, v.cve_id limit ${limit}`)
}

export interface TopAsset {
  readonly assetId: string
  readonly name: string
  readonly riskScore: number
  readonly openFindings: number
}

export function topAssets(ctx: Ctx, limit: number): Promise<TopAsset[]> {
  return ctx.db.all(sql<TopAsset>`
    select r.asset_id as "assetId", a.name, r.score as "riskScore", r.open_findings as "openFindings"
    from asset_risks r join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id and a.archived_at is null
      and a.stale_since is null
    where r.tenant_id = ${ctx.tenantId} and r.score > 0 order by r.score desc, r.asset_id limit ${limit}`)
}
