import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { hasPackage, hasSoftware, installed, inventoriedAt } from './installed-store.ts'

/** Which matches hold for which assets: found by joining what is installed with what matches it. */

/** A match that begins or ends to hold, for one asset and CVE. */
export interface Shift {
  readonly assetId: string
  readonly cveId: string
  readonly matchId: number
  /** Absent: the asset never had a finding of this CVE. */
  readonly findingId: string | null
  readonly happens: 'begins' | 'is_missed' | 'returns' | 'ends'
  readonly because: string | null
  /** When the asset's software was last reported. */
  readonly inventoriedAt: string | null
}

/**
 * What differs between what holds and what is written, of these assets. Software that an inventory no longer lists is
 * missed at first; the next complete inventory without it ends it. Another version of it ends it at once, as does a
 * record that changed its mind.
 */
export function shifts(ctx: Ctx, assetIds: readonly string[]): Promise<Shift[]> {
  return ctx.db.all(sql<Shift>`
    with expected as materialized (${expected(ctx, assetIds)}),
    live as materialized (
      select f.asset_id, f.cve_id, a.match_id, f.id as finding_id, a.missed_at
      from findings f join finding_attributions a on a.finding_id = f.id and a.ended_at is null
      where f.tenant_id = ${ctx.tenantId} and f.asset_id = any(${[...assetIds]}::uuid[]) and a.tenant_id = ${ctx.tenantId}
    ),
    differing as materialized (
      select asset_id, cve_id, match_id, l.finding_id, l.missed_at, e.is_expected, l.match_id is not null as is_live
      from expected e full join live l using (asset_id, cve_id, match_id)
      where e.is_expected is null or l.finding_id is null or l.missed_at is not null
    ),
    judged as (
      select d.*, ${ending(ctx)} as because, ${inventoriedAt(ctx, sql`d.asset_id`)} as inventoried_at
      from differing d
      left join software_matches m on m.tenant_id = ${ctx.tenantId} and m.id = d.match_id
    )
    select j.asset_id as "assetId", j.cve_id as "cveId", j.match_id as "matchId",
      coalesce(j.finding_id, f.id) as "findingId",
      case
        when j.is_expected and j.is_live then 'returns'
        when j.is_expected then 'begins'
        when j.because is not null then 'ends'
        when j.missed_at is null then 'is_missed'
        else 'ends'
      end as happens,
      case when j.is_expected then null else coalesce(j.because, 'the software is gone') end as because,
      j.inventoried_at as "inventoriedAt"
    from judged j
    left join findings f on f.tenant_id = ${ctx.tenantId} and f.asset_id = j.asset_id and f.cve_id = j.cve_id
    where j.is_expected or j.because is not null or j.missed_at is null or j.inventoried_at > j.missed_at
    order by j.asset_id, j.cve_id, j.match_id`)
}

/** The running kernel decides between those that are installed; hearsay counts where nothing better is known. */
const expected = (ctx: Ctx, assetIds: readonly string[]) => sql`
  select distinct i.asset_id, m.cve_id, m.id as match_id, true as is_expected
  from (${installed(ctx, assetIds)}) i
  join software_matches m on m.tenant_id = ${ctx.tenantId} and m.software_id = i.software_id and m.ended_at is null
  where (m.kernel = '' or i.kernel = '' or m.kernel = i.kernel) and not (m.is_hearsay and i.is_known_better)`

/** Why a match ends at once; null where the software is only missed. */
const ending = (ctx: Ctx) => sql`
  case
    when d.is_expected then null
    when m.id is null or m.ended_at is not null then 'the record no longer says so'
    when ${hasSoftware(ctx, sql`d.asset_id`, sql`m.software_id`)} then 'another kernel runs, or a surer source knows better'
    when ${hasPackage(ctx, sql`d.asset_id`, sql`m.package`)} then 'another version is installed'
    when ${inventoriedAt(ctx, sql`d.asset_id`)} is null then 'nobody reports its software any more'
  end`

export interface NewFinding {
  readonly id: string
  readonly assetId: string
  readonly cveId: string
}

/** With an empty severity: not settled yet. CVEs of which nothing is known yet are left out. */
export async function addFindings(ctx: Ctx, findings: readonly NewFinding[]): Promise<void> {
  if (findings.length === 0) return
  await ctx.db.run(sql`
    insert into findings (id, tenant_id, asset_id, cve_id, status, severity, score, grade, confidence, software,
      fixed_version, is_present, found_at, changed_at)
    select id, ${ctx.tenantId}, asset_id, cve_id, 'resolved', '', 0, '', 0, '', '', false, ${ctx.now()}, ${ctx.now()}
    from unnest(${findings.map((it) => it.id)}::uuid[], ${findings.map((it) => it.assetId)}::uuid[],
      ${findings.map((it) => it.cveId)}::text[]) as n(id, asset_id, cve_id)`)
}

export interface WrittenShift extends Shift {
  readonly findingId: string
}

export async function writeShifts(ctx: Ctx, written: readonly WrittenShift[]): Promise<void> {
  if (written.length === 0) return
  const rows = sql`unnest(${written.map((it) => it.findingId)}::uuid[], ${written.map((it) => it.matchId)}::bigint[],
    ${written.map((it) => it.happens)}::text[], ${written.map((it) => it.because)}::text[],
    ${written.map((it) => it.inventoriedAt)}::timestamptz[])
    as s(finding_id, match_id, happens, because, inventoried_at)`
  await ctx.db.run(sql`
    insert into finding_attributions as a (tenant_id, finding_id, match_id, found_at)
    select ${ctx.tenantId}, finding_id, match_id, ${ctx.now()} from ${rows} where happens = 'begins'
    on conflict (finding_id, match_id) do update set found_at = excluded.found_at, missed_at = null, ended_at = null,
      ended_because = null`)
  await ctx.db.run(sql`
    update finding_attributions a set
      missed_at = case happens when 'is_missed' then s.inventoried_at end,
      ended_at = case happens when 'ends' then ${ctx.now()}::timestamptz end,
      ended_because = case happens when 'ends' then s.because end
    from ${rows} where a.tenant_id = ${ctx.tenantId} and a.finding_id = s.finding_id and a.match_id = s.match_id
      and s.happens <> 'begins'`)
}

/** Of an asset that is gone or was merged away, what its findings rested on rests no more. */
export async function endAll(ctx: Ctx, assetIds: readonly string[], because: string): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    update finding_attributions a set ended_at = ${ctx.now()}, ended_because = ${because}
    from findings f where f.tenant_id = ${ctx.tenantId} and f.asset_id = any(${[...assetIds]}::uuid[])
      and a.finding_id = f.id and a.ended_at is null returning f.id`)
  return [...new Set(rows.map(({ id }) => id))]
}

export interface Attribution {
  readonly id: number
  readonly feed: string
  readonly record: string
  readonly matchType: string
  readonly confidence: number
  readonly software: string
  readonly fixedVersion: string
  readonly derivation: unknown
  readonly foundAt: string
  readonly missedAt: string | null
  readonly endedAt: string | null
  readonly endedBecause: string | null
}

/** The living first, and of those the surest. */
export function attributionsOf(ctx: Ctx, findingId: string): Promise<Attribution[]> {
  return ctx.db.all(sql<Attribution>`
    select m.id, m.feed, m.record, m.grade as "matchType", m.confidence, m.software, m.fixed_version as "fixedVersion",
      m.derivation, a.found_at as "foundAt", a.missed_at as "missedAt", a.ended_at as "endedAt",
      a.ended_because as "endedBecause"
    from finding_attributions a join software_matches m on m.id = a.match_id and m.tenant_id = ${ctx.tenantId}
    where a.tenant_id = ${ctx.tenantId} and a.finding_id = ${findingId}
    order by a.ended_at is not null, a.ended_at desc, m.confidence desc, m.id limit 200`)
}

export interface Turn {
  readonly at: string
  readonly status: string
  readonly severity: string
  readonly cvssScore: number
  readonly why: string
}

/** The newest first. */
export function historyOf(ctx: Ctx, findingId: string): Promise<Turn[]> {
  return ctx.db.all(sql<Turn>`
    select at, status, severity, score::float8 / 10 as "cvssScore", why from finding_history
    where tenant_id = ${ctx.tenantId} and finding_id = ${findingId} order by at desc limit 200`)
}
