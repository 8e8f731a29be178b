import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import {
  UNCONFIRMED_CONFIDENCE_MAX,
  type Attribution,
  type KnownFinding,
  type LiveAttribution,
  type LiveMatch,
  type LostMatch,
  type RecordedTransition,
} from './attribution.ts'
import type { FindingHistoryEntry } from './finding.ts'

/** Attributions of findings: which matches they rest on, and their history. */

/** What a match `m` is worth to the finding of the attribution `a`; as `asUnconfirmed` has it. */
export const gradeHeld = sql`case when a.is_unconfirmed and m.grade = 'exact' then 'fuzzy' else m.grade end`
export const confidenceHeld = sql`case when a.is_unconfirmed
  then least(m.confidence, ${sql.lit(UNCONFIRMED_CONFIDENCE_MAX)}::float8) else m.confidence end`

export function liveMatches(ctx: Ctx, softwareIds: readonly number[]): Promise<LiveMatch[]> {
  return ctx.db.all(sql<LiveMatch>`
    select id, software_id as "softwareId", cve_id as "cveId", kernel, is_hearsay as "isSelfReported", grade, confidence,
      software, fixed_version as "fixedVersion"
    from software_matches
    where tenant_id = ${ctx.tenantId} and software_id = any(${[...softwareIds]}::bigint[]) and ended_at is null`)
}

export function findingsOf(ctx: Ctx, assetIds: readonly string[]): Promise<KnownFinding[]> {
  return ctx.db.all(sql<KnownFinding>`
    select id, asset_id as "assetId", cve_id as "cveId" from findings
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}

/** Active attributions of the findings, of all matches or only those of this software. */
export function liveAttributions(
  ctx: Ctx,
  findingIds: readonly string[],
  softwareIds?: readonly number[],
): Promise<LiveAttribution[]> {
  const wanted = softwareIds
    ? sql`exists (select from software_matches m where m.id = a.match_id and m.tenant_id = ${ctx.tenantId}
        and m.software_id = any(${[...softwareIds]}::bigint[]))`
    : sql`true`
  return ctx.db.all(sql<LiveAttribution>`
    select finding_id as "findingId", match_id as "matchId", missed_at as "missedAt",
      is_unconfirmed as "isUnconfirmed" from finding_attributions a
    where a.tenant_id = ${ctx.tenantId} and a.finding_id = any(${[...findingIds]}::uuid[]) and a.ended_at is null
      and ${wanted}`)
}

export function lostMatches(ctx: Ctx, ids: readonly number[]): Promise<LostMatch[]> {
  return ctx.db.all(sql<LostMatch>`
    select id, software_id as "softwareId", package, ended_at is not null as "isEnded" from software_matches
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::bigint[])`)
}

export async function recordTransitions(ctx: Ctx, written: readonly RecordedTransition[]): Promise<void> {
  const [began, others] = [
    written.filter(({ happens }) => happens === 'begins'),
    written.filter(({ happens }) => happens !== 'begins'),
  ]
  if (began.length > 0)
    await ctx.db.run(sql`
      insert into finding_attributions as a (tenant_id, finding_id, match_id, found_at, is_unconfirmed)
      select ${ctx.tenantId}, finding_id, match_id, ${ctx.now()}, is_unconfirmed
      from unnest(${began.map((it) => it.findingId)}::uuid[], ${began.map((it) => it.matchId)}::bigint[],
        ${began.map((it) => it.isUnconfirmed)}::boolean[]) as s(finding_id, match_id, is_unconfirmed)
      on conflict (tenant_id, finding_id, match_id) do update set found_at = excluded.found_at, missed_at = null, ended_at = null,
        ended_because = null, is_unconfirmed = excluded.is_unconfirmed`)
  if (others.length === 0) return
  await ctx.db.run(sql`
    update finding_attributions a set
      missed_at = case happens when 'is_missed' then s.inventoried_at end,
      ended_at = case happens when 'ends' then ${ctx.now()}::timestamptz end,
      ended_because = case happens when 'ends' then s.because end,
      is_unconfirmed = s.is_unconfirmed
    from unnest(${others.map((it) => it.findingId)}::uuid[], ${others.map((it) => it.matchId)}::bigint[],
      ${others.map((it) => it.happens)}::text[], ${others.map((it) => it.because)}::text[],
      ${others.map((it) => it.inventoriedAt)}::timestamptz[], ${others.map((it) => it.isUnconfirmed)}::boolean[])
      as s(finding_id, match_id, happens, because, inventoried_at, is_unconfirmed)
    where a.tenant_id = ${ctx.tenantId} and a.finding_id = s.finding_id and a.match_id = s.match_id`)
}

/** The active ones first, by confidence; then the ended ones, newest first. */
export function attributionsOf(ctx: Ctx, findingId: string): Promise<Attribution[]> {
  return ctx.db.all(sql<Attribution>`
    select m.id, m.feed, m.record, ${gradeHeld} as "matchType", ${confidenceHeld} as confidence,
      a.is_unconfirmed as "isUnconfirmed", m.software, m.fixed_version as "fixedVersion",
      m.derivation, a.found_at as "foundAt", a.missed_at as "missedAt", a.ended_at as "endedAt",
      a.ended_because as "endedBecause"
    from finding_attributions a join software_matches m on m.id = a.match_id and m.tenant_id = ${ctx.tenantId}
    where a.tenant_id = ${ctx.tenantId} and a.finding_id = ${findingId}
    order by a.ended_at is not null, a.ended_at desc, m.confidence desc, m.id limit 200`)
}

/** The newest first. */
export function historyOf(ctx: Ctx, findingId: string): Promise<FindingHistoryEntry[]> {
  return ctx.db.all(sql<FindingHistoryEntry>`
    select at, status, severity, score::float8 / 10 as "cvssScore", why from finding_history
    where tenant_id = ${ctx.tenantId} and finding_id = ${findingId} order by id desc limit 200`)
}
