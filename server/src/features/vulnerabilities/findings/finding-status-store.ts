import { sql } from 'kysely'
import type { Severity } from '#features/advisories/advisory.ts'
import type { Ctx } from '#platform/context.ts'
import type { FindingStatus, Grade } from './finding.ts'

/** What a finding is, worked out from its attributions, the facts of its CVE and the overrides, and counted. */

/** One tenant's findings are changed by one transaction at a time; the lock ends with it. */
export async function lockTenant(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`select pg_advisory_xact_lock(${LOCK_OF_FINDINGS}::int, hashtext(${ctx.tenantId}))`)
}
const LOCK_OF_FINDINGS = 22

/** What a finding is now. */
export interface Settled {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
  readonly status: FindingStatus
  readonly severity: Severity
  readonly grade: Grade
  readonly confidence: number
}

/**
 * Settles the findings and writes what changed: themselves, their history, the counts and the affected assets. `why`
 * stands in the history unless an override says otherwise. Answers those that changed.
 */
export function settle(ctx: Ctx, ids: readonly string[], why: string): Promise<Settled[]> {
  if (ids.length === 0) return Promise.resolve([])
  const now = ctx.now()
  return ctx.db.all(sql<Settled>`
    with before as materialized (
      select f.* from findings f where f.tenant_id = ${ctx.tenantId} and f.id = any(${[...ids]}::uuid[])
    ),
    live as materialized (
      select a.finding_id, m.grade, m.confidence, m.package, m.software, m.fixed_version, m.id,
        m.derivation ->> 'package' as told_package, m.derivation ->> 'installedVersion' as told_version
      from before b join finding_attributions a on a.finding_id = b.id and a.ended_at is null
      join software_matches m on m.id = a.match_id
      where a.tenant_id = ${ctx.tenantId} and m.tenant_id = ${ctx.tenantId}
    ),
    best as materialized (select distinct on (finding_id) * from live order by finding_id, confidence desc, id),
    ${rulings(ctx)},
    after as materialized (${after(ctx)}),
    changed as (
      update findings f set status = a.status, severity = a.severity, score = a.score, grade = a.grade,
        confidence = a.confidence, software = a.software, fixed_version = a.fixed_version, is_present = a.is_present,
        override_id = a.override_id, rating_override_id = a.rating_override_id,
        changed_at = case when (f.status, f.severity, f.score) is distinct from (a.status, a.severity, a.score)
          then ${now} else f.changed_at end
      from after a where f.tenant_id = ${ctx.tenantId} and f.id = a.id
        and (f.status, f.severity, f.score, f.grade, f.confidence, f.software, f.fixed_version, f.is_present,
             f.override_id, f.rating_override_id)
          is distinct from (a.status, a.severity, a.score, a.grade, a.confidence, a.software, a.fixed_version,
             a.is_present, a.override_id, a.rating_override_id)
      returning a.*
    ),
    moved as materialized (
      select * from changed where (status, severity, score) is distinct from (status_before, severity_before, score_before)
    ),
    told as (
      insert into finding_history (tenant_id, finding_id, at, status, severity, score, why)
      select ${ctx.tenantId}, id, ${now}, status, severity, score, coalesce(reason, ${why}) from moved
    ),
    ${counted(ctx, sql`moved`)}
    select id, asset_id as "assetId", cve_id as "cveId", status, severity, grade, confidence
    from changed`)
}

/** What the findings before are now. */
const after = (ctx: Ctx) => sql`
      select b.id, b.asset_id, b.cve_id, b.found_at, best.finding_id is not null as is_present,
        case when best.finding_id is null then 'resolved' else coalesce(s.status, 'open') end as status,
        coalesce(r.severity, v.severity) as severity, coalesce(r.score, v.score) as score,
        coalesce(best.grade, b.grade) as grade, coalesce(best.confidence, b.confidence) as confidence,
        coalesce(best.software, b.software) as software, coalesce(best.fixed_version, b.fixed_version) as fixed_version,
        s.id as override_id, r.id as rating_override_id,
        coalesce(case when best.finding_id is not null then s.reason end, r.reason) as reason,
        b.status as status_before, b.severity as severity_before, b.score as score_before
      from before b
      join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = b.cve_id
      left join best on best.finding_id = b.id
      left join status_rulings s on s.finding_id = b.id
      left join rating_rulings r on r.finding_id = b.id`

/** Of several overrides the narrowest counts, and of those the newest. */
const rulings = (ctx: Ctx) => sql`
  ruled as materialized (
    select b.id as finding_id, o.id, o.kind, o.severity, o.score, o.created_at,
      case o.kind when 'accepted_risk' then 'accepted' when 'fixed' then 'resolved' else o.kind end as status,
      o.kind || ': ' || o.reason as reason,
      (o.finding_id is not null)::int * 4 + (o.package is not null)::int * 2 + (o.tag is not null)::int as narrow
    from before b
    join finding_overrides o on o.tenant_id = ${ctx.tenantId} and o.cve_id = b.cve_id and o.state = 'active'
    where (o.finding_id is null or o.finding_id = b.id)
      and (o.package is null or exists (
        select from live l where l.finding_id = b.id and o.package in (l.package, l.told_package)
          and (o.version is null or l.software = l.package || ' ' || o.version or l.told_version = o.version)))
      and (o.tag is null or exists (
        select from assets a where a.tenant_id = ${ctx.tenantId} and a.id = b.asset_id and a.tags @> array[o.tag]))
  ),
  status_rulings as (
    select distinct on (finding_id) * from ruled where kind <> 'severity'
    order by finding_id, narrow desc, created_at desc, id
  ),
  rating_rulings as (
    select distinct on (finding_id) * from ruled where kind = 'severity'
    order by finding_id, narrow desc, created_at desc, id
  )`

/** Rows are written in one order everywhere, so that nobody waits for each other in a circle. */
const counted = (ctx: Ctx, moved: ReturnType<typeof sql>) => sql`
  counts as (
    insert into finding_counts as c (tenant_id, status, severity, score, n)
    select ${ctx.tenantId}, status, severity, score, sum(n) from (
      select status, severity, score, 1 as n from ${moved}
      union all
      select status_before, severity_before, score_before, -1 from ${moved}
    ) changes group by status, severity, score having sum(n) <> 0 order by status, severity, score
    on conflict (tenant_id, status, severity, score) do update set n = c.n + excluded.n
  ),
  affected as (
    update vulnerabilities v set affected_assets = v.affected_assets + d.n
    from (
      select cve_id, sum((status = 'open')::int - (status_before = 'open')::int) as n
      from ${moved} group by cve_id
    ) d where v.tenant_id = ${ctx.tenantId} and v.cve_id = d.cve_id and d.n <> 0
  )`

/** A finding as its surest match makes it. */
export interface NewFinding {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
  readonly grade: string
  readonly confidence: number
  readonly software: string
  readonly fixedVersion: string
}

/** Open, counted, with the beginning of their history, as if no override were there: who knows of one settles them. */
export function addFindings(
  ctx: Ctx,
  findings: readonly NewFinding[],
): Promise<(Settled & { isOverridden: boolean })[]> {
  if (findings.length === 0) return Promise.resolve([])
  const now = ctx.now()
  return ctx.db.all(sql<Settled & { isOverridden: boolean }>`
    with added as materialized (
      insert into findings (id, tenant_id, asset_id, cve_id, status, severity, score, grade, confidence, software,
        fixed_version, is_present, found_at, changed_at)
      select n.id, ${ctx.tenantId}, n.asset_id, n.cve_id, 'open', v.severity, v.score, n.grade, n.confidence,
        n.software, n.fixed_version, true, ${now}, ${now}
      from unnest(${findings.map((it) => it.id)}::uuid[], ${findings.map((it) => it.assetId)}::uuid[],
        ${findings.map((it) => it.cveId)}::text[], ${findings.map((it) => it.grade)}::text[],
        ${findings.map((it) => it.confidence)}::float8[], ${findings.map((it) => it.software)}::text[],
        ${findings.map((it) => it.fixedVersion)}::text[])
        as n(id, asset_id, cve_id, grade, confidence, software, fixed_version)
      join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = n.cve_id
      returning *
    ),
    told as (
      insert into finding_history (tenant_id, finding_id, at, status, severity, score, why)
      select ${ctx.tenantId}, id, ${now}, status, severity, score, 'found' from added
    ),
    counts as (
      insert into finding_counts as c (tenant_id, status, severity, score, n)
      select ${ctx.tenantId}, status, severity, score, count(*) from added
      group by status, severity, score order by status, severity, score
      on conflict (tenant_id, status, severity, score) do update set n = c.n + excluded.n
    ),
    affected as (
      update vulnerabilities v set affected_assets = v.affected_assets + d.n
      from (select cve_id, count(*) as n from added group by cve_id) d
      where v.tenant_id = ${ctx.tenantId} and v.cve_id = d.cve_id
    )
    select id, asset_id as "assetId", cve_id as "cveId", status, severity, grade, confidence,
      exists (select from finding_overrides o where o.tenant_id = ${ctx.tenantId} and o.cve_id = added.cve_id
        and o.state = 'active') as "isOverridden"
    from added`)
}

/** The findings of assets that are gone, without a trace: as if they had never been. */
export async function removeOfAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  await ctx.db.run(sql`
    with gone as materialized (
      delete from findings where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])
      returning cve_id, status, severity, score
    ),
    counts as (
      insert into finding_counts as c (tenant_id, status, severity, score, n)
      select ${ctx.tenantId}, status, severity, score, -count(*) from gone
      group by status, severity, score order by status, severity, score
      on conflict (tenant_id, status, severity, score) do update set n = c.n + excluded.n
    )
    update vulnerabilities v set affected_assets = v.affected_assets - d.n
    from (select cve_id, count(*) as n from gone where status = 'open' group by cve_id) d
    where v.tenant_id = ${ctx.tenantId} and v.cve_id = d.cve_id`)
}

/** The findings of a merged asset are the survivor's, where it has none of that CVE. */
export async function moveFindings(ctx: Ctx, from: string, to: string): Promise<void> {
  await ctx.db.run(sql`
    update findings f set asset_id = ${to} where f.tenant_id = ${ctx.tenantId} and f.asset_id = ${from}
      and not exists (
        select from findings g where g.tenant_id = ${ctx.tenantId} and g.asset_id = ${to} and g.cve_id = f.cve_id)`)
}
