import { sql } from 'kysely'
import type { Severity } from '#features/advisories/advisory.ts'
import { lockOfTenant } from '#platform/database/advisory-locks.ts'
import type { Ctx } from '#platform/context.ts'
import { conditionsMet, type ConditionsMet } from '../overrides/condition-scope-store.ts'
import { confidenceHeld, gradeHeld } from './attribution-store.ts'
import type { FindingStatus, Grade } from './finding.ts'

/**
 * Computes the status and score of findings from attributions, facts of the CVE and overrides, and keeps the counts.
 */

/** One tenant's findings are changed by one transaction at a time; the lock ends with it. */
export async function lockFindings(ctx: Ctx): Promise<void> {
  await ctx.db.run(lockOfTenant('findings', ctx.tenantId))
}

/** What a finding is now; rows may have more. */
export interface RecomputedFinding {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
  readonly status: FindingStatus
  readonly severity: Severity
  readonly grade: Grade
  readonly confidence: number
}

/** What is counted, and stands in the history. */
interface Rated {
  readonly status: FindingStatus
  readonly severity: Severity
  /** In tenths. */
  readonly score: number
}

/** Recomputed, with what it was before. */
export interface ChangedFinding extends RecomputedFinding, Rated {
  readonly isArchived: boolean
  readonly reason: string | null
  readonly statusBefore: FindingStatus
  readonly severityBefore: Severity
  readonly scoreBefore: number
}

/**
 * Recomputes the findings and writes what changed: rows, history, counts and numbers of affected assets. `why`
 * stands in the history unless an override gives a reason. Returns those that changed.
 */
export async function recompute(ctx: Ctx, ids: readonly string[], why: string): Promise<ChangedFinding[]> {
  if (ids.length === 0) return []
  const changed = await changeFindings(ctx, ids)
  const moves = changed.flatMap((it): Move[] => {
    const from = { status: it.statusBefore, severity: it.severityBefore, score: it.scoreBefore }
    const isMoved = keyOf(from) !== keyOf(it)
    const { id, cveId, isArchived } = it
    return isMoved ? [{ id, cveId, isArchived, why: it.reason ?? why, from, to: it }] : []
  })
  await writeMoves(ctx, moves)
  return changed
}

const assetsIn = (findings: readonly Pick<RecomputedFinding, 'assetId'>[]): string[] =>
  findings.map(({ assetId }) => assetId)

async function changeFindings(ctx: Ctx, ids: readonly string[]): Promise<ChangedFinding[]> {
  const met = await conditionsMet(ctx, ids)
  return ctx.db.about(assetsIn).all(sql<ChangedFinding>`
    with before as materialized (
      select f.* from findings f where f.tenant_id = ${ctx.tenantId} and f.id = any(${[...ids]}::uuid[])
    ),
    live as materialized (
      select a.finding_id, ${gradeHeld} as grade, ${confidenceHeld} as confidence, a.is_unconfirmed, m.package, m.software, m.fixed_version, m.id,
        m.derivation ->> 'package' as told_package, m.derivation ->> 'installedVersion' as told_version
      from before b join finding_attributions a on a.finding_id = b.id and a.ended_at is null
      join software_matches m on m.id = a.match_id
      where a.tenant_id = ${ctx.tenantId} and m.tenant_id = ${ctx.tenantId}
    ),
    best as materialized (
      select distinct on (finding_id) * from live order by finding_id, confidence desc, is_unconfirmed, id),
    ${overridesFor(ctx, met)},
    after as materialized (${after(ctx)})
    update findings f set status = a.status, severity = a.severity, score = a.score, grade = a.grade,
      confidence = a.confidence, is_unconfirmed = a.is_unconfirmed, software = a.software,
      fixed_version = a.fixed_version, is_present = a.is_present, override_id = a.override_id,
      rating_override_id = a.rating_override_id,
      changed_at = case when (f.status, f.severity, f.score) is distinct from (a.status, a.severity, a.score)
        then ${ctx.now()} else f.changed_at end
    from after a where f.tenant_id = ${ctx.tenantId} and f.id = a.id
      and (f.status, f.severity, f.score, f.grade, f.confidence, f.is_unconfirmed, f.software, f.fixed_version,
           f.is_present, f.override_id, f.rating_override_id)
        is distinct from (a.status, a.severity, a.score, a.grade, a.confidence, a.is_unconfirmed, a.software,
           a.fixed_version, a.is_present, a.override_id, a.rating_override_id)
    returning a.id, f.is_archived as "isArchived", a.asset_id as "assetId", a.cve_id as "cveId", a.status, a.severity,
      a.score, a.grade, a.confidence, a.reason, a.status_before as "statusBefore", a.severity_before as "severityBefore",
      a.score_before as "scoreBefore"`)
}

/** The new state of each finding of `before`. */
const after = (ctx: Ctx) => sql`
      select b.id, b.asset_id, b.cve_id, b.found_at, best.finding_id is not null as is_present,
        case when best.finding_id is null then 'resolved' else coalesce(s.status, 'open') end as status,
        coalesce(r.severity, v.severity) as severity, coalesce(r.score, v.score) as score,
        coalesce(best.grade, b.grade) as grade, coalesce(best.confidence, b.confidence) as confidence,
        coalesce(best.is_unconfirmed, b.is_unconfirmed) as is_unconfirmed, coalesce(best.software, b.software) as software,
        coalesce(best.fixed_version, b.fixed_version) as fixed_version,
        s.id as override_id, r.id as rating_override_id,
        coalesce(case when best.finding_id is not null then s.reason end, r.reason) as reason,
        b.status as status_before, b.severity as severity_before, b.score as score_before
      from before b
      join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = b.cve_id
      left join best on best.finding_id = b.id
      left join status_overrides s on s.finding_id = b.id
      left join severity_overrides r on r.finding_id = b.id`

/** Precedence of overrides: the narrowest scope (finding, package, tag or condition), then the newest. */
const overridesFor = (ctx: Ctx, { overrideIds, assetIds }: ConditionsMet) => sql`
  conditions_met as materialized (
    select * from unnest(${[...overrideIds]}::uuid[], ${[...assetIds]}::uuid[]) as m(override_id, asset_id)
  ),
  matching_overrides as materialized (
    select b.id as finding_id, o.id, o.kind, o.severity, o.score, o.created_at,
      case o.kind when 'accepted_risk' then 'accepted' when 'fixed' then 'resolved' else o.kind end as status,
      o.kind || ': ' || o.reason as reason,
      (o.finding_id is not null)::int * 4 + (o.package is not null)::int * 2 + (o.tag is not null or o.condition is not null)::int as narrow
    from before b
    join finding_overrides o on o.tenant_id = ${ctx.tenantId} and o.cve_id = b.cve_id and o.state = 'active'
    where (o.finding_id is null or o.finding_id = b.id)
      and (o.package is null or exists (
        select from live l where l.finding_id = b.id and o.package in (l.package, l.told_package)
          and (o.version is null or l.software = l.package || ' ' || o.version or l.told_version = o.version)))
      and (o.tag is null or exists (
        select from assets a where a.tenant_id = ${ctx.tenantId} and a.id = b.asset_id and a.tags @> array[o.tag]))
      and (o.condition is null or (o.id, b.asset_id) in (select override_id, asset_id from conditions_met))
  ),
  status_overrides as (
    select distinct on (finding_id) * from matching_overrides where kind <> 'severity'
    order by finding_id, narrow desc, created_at desc, id
  ),
  severity_overrides as (
    select distinct on (finding_id) * from matching_overrides where kind = 'severity'
    order by finding_id, narrow desc, created_at desc, id
  )`

/** A finding that is new (from nothing), gone (to nothing), or of another status, severity or score. */
interface Move {
  readonly id: string
  readonly cveId: string
  readonly why: string
  /** Of an archived asset: it has a history, and is not counted. */
  readonly isArchived: boolean
  readonly from?: Rated
  readonly to?: Rated
}

const keyOf = ({ status, severity, score }: Rated): string => `${status} ${severity} ${score}`

/** History, counts and affected assets, rows in one order everywhere, which rules out deadlocks. */
async function writeMoves(ctx: Ctx, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return
  const entries = moves.flatMap(({ id, why, to }) => (to ? [{ id, why, ...to }] : []))
  if (entries.length > 0)
    await ctx.db.run(sql`
      insert into finding_history (tenant_id, finding_id, at, status, severity, score, why)
      select ${ctx.tenantId}, id, ${ctx.now()}, status, severity, score, why
      from unnest(${entries.map((it) => it.id)}::uuid[], ${entries.map((it) => it.status)}::text[],
        ${entries.map((it) => it.severity)}::text[], ${entries.map((it) => it.score)}::smallint[],
        ${entries.map((it) => it.why)}::text[]) as r(id, status, severity, score, why)`)
  await writeCounts(
    ctx,
    moves.filter(({ isArchived }) => !isArchived),
  )
}

async function writeCounts(ctx: Ctx, moves: readonly Omit<Move, 'why' | 'isArchived'>[]): Promise<void> {
  await count(ctx, moves)
  const affected = new Map<string, number>()
  for (const { cveId, from, to } of moves) add(affected, cveId, isOpen(to) - isOpen(from))
  const changed = sorted(affected)
  if (changed.length === 0) return
  // no condition on assets asks for this number
  await ctx.db.about([]).run(sql`
    update vulnerabilities v set affected_assets = v.affected_assets + d.n
    from unnest(${changed.map(([id]) => id)}::text[], ${changed.map(([, n]) => n)}::int[]) as d(cve_id, n)
    where v.tenant_id = ${ctx.tenantId} and v.cve_id = d.cve_id`)
}

const isOpen = (rated: Rated | undefined): number => (rated?.status === 'open' ? 1 : 0)

const add = (sums: Map<string, number>, key: string, n: number): unknown =>
  sums.set(key, (sums.get(key) ?? 0) + n)

const sorted = (sums: ReadonlyMap<string, number>): [string, number][] =>
  [...sums].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1))

async function count(ctx: Ctx, moves: readonly Pick<Move, 'from' | 'to'>[]): Promise<void> {
  const sums = new Map<string, number>()
  for (const { from, to } of moves) {
    if (from) add(sums, keyOf(from), -1)
    if (to) add(sums, keyOf(to), 1)
  }
  const rows = sorted(sums).map(([key, n]) => ({ parts: key.split(' '), n }))
  if (rows.length === 0) return
  await ctx.db.run(sql`
    insert into finding_counts as c (tenant_id, status, severity, score, n)
    select ${ctx.tenantId}, status, severity, score, n
    from unnest(${rows.map(({ parts }) => parts[0])}::text[], ${rows.map(({ parts }) => parts[1])}::text[],
      ${rows.map(({ parts }) => parts[2])}::smallint[], ${rows.map(({ n }) => n)}::bigint[])
      as r(status, severity, score, n)
    on conflict (tenant_id, status, severity, score) do update set n = c.n + excluded.n`)
}

/** A finding with the values of its match of highest confidence. */
export interface NewFinding {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
  readonly grade: string
  readonly confidence: number
  readonly software: string
  readonly fixedVersion: string
  readonly isUnconfirmed: boolean
}

/**
 * Inserts open findings with counts and first history entry, without regard to overrides: recompute those with
 * `isOverridden`.
 */
export async function insertFindings(
  ctx: Ctx,
  findings: readonly NewFinding[],
): Promise<(RecomputedFinding & { isOverridden: boolean })[]> {
  if (findings.length === 0) return []
  const now = ctx.now()
  const added = await ctx.db.about(assetsIn).all(sql<
    RecomputedFinding & { score: number; isArchived: boolean }
  >`
    insert into findings as f (tenant_id, id, asset_id, cve_id, status, severity, score, grade, confidence,
      is_unconfirmed, software, fixed_version, is_present, is_archived, found_at, changed_at)
    select ${ctx.tenantId}, n.id, n.asset_id, n.cve_id, 'open', v.severity, v.score, n.grade, n.confidence,
      n.is_unconfirmed, n.software, n.fixed_version, true, exists (select from assets a
        where a.tenant_id = ${ctx.tenantId} and a.id = n.asset_id and a.archived_at is not null), ${now}, ${now}
    from unnest(${findings.map((it) => it.id)}::uuid[], ${findings.map((it) => it.assetId)}::uuid[],
      ${findings.map((it) => it.cveId)}::text[], ${findings.map((it) => it.grade)}::text[],
      ${findings.map((it) => it.confidence)}::float8[], ${findings.map((it) => it.software)}::text[],
      ${findings.map((it) => it.fixedVersion)}::text[], ${findings.map((it) => it.isUnconfirmed)}::boolean[])
      as n(id, asset_id, cve_id, grade, confidence, software, fixed_version, is_unconfirmed)
    join vulnerabilities v on v.tenant_id = ${ctx.tenantId} and v.cve_id = n.cve_id
    returning f.id, f.asset_id as "assetId", f.cve_id as "cveId", f.status, f.severity, f.score, f.grade, f.confidence,
      f.is_archived as "isArchived"`)
  await writeMoves(
    ctx,
    added.map((it) => ({ id: it.id, cveId: it.cveId, isArchived: it.isArchived, why: 'found', to: it })),
  )
  const overridden = await overriddenAmong(ctx, [...new Set(added.map(({ cveId }) => cveId))])
  return added.map(({ score: _score, isArchived: _archived, ...it }) => ({
    ...it,
    isOverridden: overridden.has(it.cveId),
  }))
}

async function overriddenAmong(ctx: Ctx, cveIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await ctx.db.all(sql<{ cveId: string }>`
    select distinct cve_id as "cveId" from finding_overrides
    where tenant_id = ${ctx.tenantId} and cve_id = any(${[...cveIds]}::text[]) and state = 'active'`)
  return new Set(rows.map(({ cveId }) => cveId))
}

/** Deletes the findings of deleted assets and reduces the counts. */
export async function removeOfAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  const gone = await ctx.db.about(assetIds).all(sql<
    Rated & { id: string; cveId: string; isArchived: boolean }
  >`
    delete from findings where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])
    returning id, cve_id as "cveId", is_archived as "isArchived", status, severity, score`)
  await writeMoves(
    ctx,
    gone.map((it) => ({ id: it.id, cveId: it.cveId, isArchived: it.isArchived, why: '', from: it })),
  )
}

/** Takes findings of assets that were archived out of the counts, or puts those of revived assets back. */
export async function setArchived(ctx: Ctx, assetIds: readonly string[], isArchived: boolean): Promise<void> {
  const changed = await ctx.db.about(assetIds).all(sql<Rated & { id: string; cveId: string }>`
    update findings set is_archived = ${isArchived}
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[]) and is_archived <> ${isArchived}
    returning id, cve_id as "cveId", status, severity, score`)
  await writeCounts(
    ctx,
    changed.map((it) => ({ id: it.id, cveId: it.cveId, ...(isArchived ? { from: it } : { to: it }) })),
  )
}

/** Moves the findings of a merged asset to the survivor, except CVEs that the survivor has already. */
export async function moveFindings(ctx: Ctx, from: string, to: string): Promise<void> {
  await ctx.db.about([from, to]).run(sql`
    update findings f set asset_id = ${to} where f.tenant_id = ${ctx.tenantId} and f.asset_id = ${from}
      and not exists (
        select from findings g where g.tenant_id = ${ctx.tenantId} and g.asset_id = ${to} and g.cve_id = f.cve_id)`)
}
