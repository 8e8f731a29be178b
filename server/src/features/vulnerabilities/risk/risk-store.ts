import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import {
  COUNTED_MAX,
  EXPLOITED_FLOOR,
  RISK_MODEL,
  SHARE_OF_OTHERS,
  type Criticality,
  type Exposure,
} from './risk-score.ts'
import type { Grade } from '../findings/finding.ts'
import { factorOf, weighedFindings } from './finding-weights-store.ts'

/** Risk scores of many assets in one statement, with contributions and history. */

export interface ChangedScore {
  readonly assetId: string
  readonly score: number
}

const CONTRIBUTIONS_MAX = 5

/** Recomputes the scores of these assets and returns those that changed. Assets without open findings score 0. */
export async function recomputeScores(ctx: Ctx, assetIds: readonly string[]): Promise<ChangedScore[]> {
  const saved = await ctx.db.about(assetIds).all(sql<
    ChangedScore & { openFindings: number; before: number | null }
  >`
    with wanted as materialized (select distinct id from unnest(${[...assetIds]}::uuid[]) as id),
    weighed as (${weighedFindings(ctx)}),
    placed as (
      select *, row_number() over (partition by asset_id order by p desc, id) as place,
        count(*) over (partition by asset_id) as open
      from weighed
    ),
    based as materialized (
      select asset_id, max(open)::int as open, max(p) filter (where place = 1) as first,
        coalesce(exp(sum(ln(1 - ${sql.lit(SHARE_OF_OTHERS)}::float8 * p)) filter (where place > 1)), 1) as none,
        coalesce(exp(sum(ln(1 - ${sql.lit(SHARE_OF_OTHERS)}::float8 * p))
          filter (where place > ${sql.lit(CONTRIBUTIONS_MAX)})), 1) as unlisted,
        bool_or(exploited) as exploited,
        jsonb_agg(jsonb_build_object('findingId', id, 'cveId', cve_id, 'software', software, 'matchType', grade,
          'cvssScore', score / 10.0, 'epss', epss, 'isExploited', exploited, 'likelihood', round(likelihood::numeric, 4),
          'certainty', certainty, 'weight', round(p::numeric, 4))
          order by place) filter (where place <= ${sql.lit(CONTRIBUTIONS_MAX)}) as contributions
      from placed where place <= ${sql.lit(COUNTED_MAX)} group by asset_id
    ),
    scored as materialized (${scored(ctx)}),
    before as materialized (
      select s.asset_id, r.score from scored s
      left join asset_risks r on r.tenant_id = ${ctx.tenantId} and r.asset_id = s.asset_id
    ),
    saved as (
      insert into asset_risks as r (tenant_id, asset_id, model, score, open_findings, contributions, factors, computed_at)
      select ${ctx.tenantId}, s.asset_id, ${sql.lit(RISK_MODEL)}, s.score, s.open, s.contributions,
        jsonb_build_object('criticality', s.criticality, 'exposure', s.exposure, 'isEndOfLife', s.is_end_of_life,
          'isExploited', s.exploited, 'unlisted', round(s.unlisted::numeric, 4)),
        ${ctx.now()}
      from scored s where s.open > 0
        or exists (select from asset_risks r where r.tenant_id = ${ctx.tenantId} and r.asset_id = s.asset_id)
      order by s.asset_id
      on conflict (tenant_id, asset_id) do update set model = excluded.model, score = excluded.score,
        open_findings = excluded.open_findings, contributions = excluded.contributions, factors = excluded.factors,
        computed_at = excluded.computed_at
      where (r.model, r.score, r.open_findings, r.contributions, r.factors)
        is distinct from (excluded.model, excluded.score, excluded.open_findings, excluded.contributions, excluded.factors)
      returning r.asset_id, r.score, r.open_findings
    )
    select k.asset_id as "assetId", k.score, k.open_findings as "openFindings", b.score as before
    from saved k join before b using (asset_id)`)
  await writeDays(ctx, saved)
  return saved.flatMap(({ assetId, score, before }) => (score === before ? [] : [{ assetId, score }]))
}

async function writeDays(
  ctx: Ctx,
  risks: readonly (ChangedScore & { readonly openFindings: number })[],
): Promise<void> {
  if (risks.length === 0) return
  await ctx.db.run(sql`
    insert into asset_risk_days (tenant_id, asset_id, day, score, open_findings, model)
    select ${ctx.tenantId}, asset_id, (${ctx.now()}::timestamptz at time zone 'UTC')::date, score, open_findings,
      ${sql.lit(RISK_MODEL)}
    from unnest(${risks.map((it) => it.assetId)}::uuid[], ${risks.map((it) => it.score)}::float8[],
      ${risks.map((it) => it.openFindings)}::int[]) as r(asset_id, score, open_findings)
    on conflict (tenant_id, asset_id, day) do update set score = excluded.score, open_findings = excluded.open_findings,
      model = excluded.model`)
}

/** The formula in SQL, over the weighted findings. */
const scored = (ctx: Ctx) => sql`
      select w.id as asset_id, coalesce(b.open, 0) as open, coalesce(b.contributions, '[]') as contributions,
        x.criticality, x.exposure, x.is_end_of_life, coalesce(b.exploited, false) as exploited,
        coalesce(b.unlisted, 1) as unlisted, case when b.asset_id is null then 0 else greatest(
          case when b.exploited then ${sql.lit(100 * EXPLOITED_FLOOR)}::float8 else 0.1 end, round(least(100, 100 * (b.first + (1 - b.first) * (1 - b.none))
          * ${factorOf('x')})::numeric, 1))::float8 end as score
      from wanted w left join based b on b.asset_id = w.id
      left join asset_weights aw on aw.tenant_id = ${ctx.tenantId} and aw.asset_id = w.id
      cross join lateral (select coalesce(aw.criticality, 'normal') as criticality,
        coalesce(aw.exposure, 'unknown') as exposure, coalesce(aw.is_end_of_life, false) as is_end_of_life) x`

export interface Risk {
  readonly assetId: string
  readonly model: number
  readonly score: number
  readonly openFindings: number
  readonly contributions: readonly Contribution[]
  readonly factors: {
    readonly criticality: Criticality
    readonly exposure: Exposure
    readonly isEndOfLife: boolean
    /** An open finding is known to be exploited: the score is at least 80. Absent in scores of model 1. */
    readonly isExploited?: boolean
    /** The product of 1 − 0.1 × weight over the counted findings that are not among the contributions. */
    readonly unlisted?: number
  }
  readonly computedAt: string
}

/** One of the findings of highest weight. */
export interface Contribution {
  readonly findingId: string
  readonly cveId: string
  readonly software: string
  readonly matchType: Grade
  readonly cvssScore: number
  readonly epss: number | null
  /** By a KEV catalogue, or by SSVC. */
  readonly isExploited: boolean
  /** 0 to 1. Absent in scores of model 1, as is the certainty. */
  readonly likelihood?: number
  readonly certainty?: number
  /** 0 to 1, before the asset's own factors. */
  readonly weight: number
}

export function risk(ctx: Ctx, assetId: string): Promise<Risk | undefined> {
  return ctx.db.maybe(sql<Risk>`
    select asset_id as "assetId", model, score, open_findings as "openFindings", contributions, factors,
      computed_at as "computedAt"
    from asset_risks where tenant_id = ${ctx.tenantId} and asset_id = ${assetId}`)
}

/** Undefined when the tenant has no such asset. */
export async function assetName(ctx: Ctx, id: string): Promise<string | undefined> {
  const asset = await ctx.db.maybe(sql<{ name: string }>`
    select name from assets where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return asset?.name
}

export interface RiskDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly score: number
  readonly openFindings: number
  /** Version of the formula. */
  readonly model: number
}

/** Days on which it changed, the newest first. */
export function riskDays(ctx: Ctx, assetId: string, limit: number): Promise<RiskDay[]> {
  return ctx.db.all(sql<RiskDay>`
    select day, score, open_findings as "openFindings", model from asset_risk_days
    where tenant_id = ${ctx.tenantId} and asset_id = ${assetId} order by day desc limit ${limit}`)
}

/** A criticality of `normal` that comes with another exposure is the one that was there, and nobody said it. */
export async function setWeight(
  ctx: Ctx,
  assetId: string,
  { criticality, exposure }: { readonly criticality: Criticality; readonly exposure: Exposure },
): Promise<void> {
  await ctx.db.about([assetId]).run(sql`
    insert into asset_weights as w (tenant_id, asset_id, criticality, exposure, criticality_said)
    values (${ctx.tenantId}, ${assetId}, ${criticality}, ${exposure},
      ${criticality}::text <> 'normal' or ${exposure}::text = 'unknown')
    on conflict (tenant_id, asset_id) do update set criticality = excluded.criticality, exposure = excluded.exposure,
      criticality_said = w.criticality_said or excluded.criticality <> 'normal' or excluded.exposure = w.exposure`)
}

export interface AssetWeights {
  readonly criticality: Criticality
  readonly exposure: Exposure
}

/** Of these assets that are there; those of which nobody said anything weigh `normal` and `unknown`. */
export async function weights(ctx: Ctx, assetIds: readonly string[]): Promise<Map<string, AssetWeights>> {
  const rows = await ctx.db.all(sql<AssetWeights & { id: string }>`
    select a.id, coalesce(w.criticality, 'normal') as criticality, coalesce(w.exposure, 'unknown') as exposure
    from assets a left join asset_weights w on w.tenant_id = ${ctx.tenantId} and w.asset_id = a.id
    where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...assetIds]}::uuid[]) order by a.id`)
  return new Map(rows.map(({ id, ...weight }) => [id, weight]))
}

/** Those that were written of these assets, whether the assets are there or not. */
export async function saidWeights(ctx: Ctx, assetIds: readonly string[]): Promise<Map<string, AssetWeights>> {
  const rows = await ctx.db.all(sql<AssetWeights & { id: string }>`
    select asset_id as id, criticality, exposure from asset_weights
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
  return new Map(rows.map(({ id, ...weight }) => [id, weight]))
}

export async function setWeights(ctx: Ctx, given: ReadonlyMap<string, AssetWeights>): Promise<void> {
  const rows = [...given].sort(([a], [b]) => (a < b ? -1 : 1))
  await ctx.db.about([...given.keys()]).run(sql`
    insert into asset_weights as w (tenant_id, asset_id, criticality, exposure, criticality_said)
    select ${ctx.tenantId}, id, criticality, exposure, criticality <> 'normal'
    from unnest(${rows.map(([id]) => id)}::uuid[], ${rows.map(([, it]) => it.criticality)}::text[],
      ${rows.map(([, it]) => it.exposure)}::text[]) as r(id, criticality, exposure)
    on conflict (tenant_id, asset_id) do update set criticality = excluded.criticality, exposure = excluded.exposure,
      criticality_said = w.criticality_said or excluded.criticality_said`)
}

/** A release of an operating system, as it names itself. */
export interface Release {
  readonly id: string
  readonly versionId: string
  readonly prettyName: string
}

/** Marks the assets on one of these releases and unmarks all others; returns the ids that changed. */
export async function markEndOfLife(ctx: Ctx, ended: readonly Release[]): Promise<string[]> {
  const rows = await ctx.db.about(idsIn).all(sql<{ id: string }>`
    with old as materialized (
      select distinct o.asset_id
      from unnest(${ended.map((it) => it.id)}::text[], ${ended.map((it) => it.versionId)}::text[],
        ${ended.map((it) => it.prettyName)}::text[]) as e(os_id, version_id, pretty_name)
      join software_systems y on y.tenant_id = ${ctx.tenantId} and y.os_id = e.os_id and y.version_id = e.version_id
        and y.pretty_name = e.pretty_name
      join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = y.observation_id
    ),
    unmarked as (
      update asset_weights w set is_end_of_life = false
      where w.tenant_id = ${ctx.tenantId} and w.is_end_of_life and w.asset_id not in (select asset_id from old)
      returning w.asset_id
    ),
    marked as (
      insert into asset_weights as w (tenant_id, asset_id, is_end_of_life)
      select ${ctx.tenantId}, asset_id, true from old order by asset_id
      on conflict (tenant_id, asset_id) do update set is_end_of_life = true where not w.is_end_of_life
      returning w.asset_id
    )
    select asset_id as id from unmarked union all select asset_id from marked`)
  return idsIn(rows)
}

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

/** Those of the assets whose operating system is past its end of life. */
export async function endOfLifeAmong(ctx: Ctx, assetIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select asset_id as id from asset_weights
    where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[]) and is_end_of_life`)
  return rows.map(({ id }) => id)
}

/** Tenants that have findings. */
export async function tenants(system: Ctx): Promise<string[]> {
  const rows = await system.db.all(
    sql<{ id: string }>`select tenant_id as id from matching_cursors order by 1`,
  )
  return rows.map(({ id }) => id)
}

/** Keyset page of assets that have, or had, an open finding. */
export async function scoredAssets(ctx: Ctx, after: string, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select asset_id as id from asset_risks where tenant_id = ${ctx.tenantId} and asset_id > ${after}
    order by asset_id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Assets whose score is of an earlier version of the formula. */
export async function assetsOfEarlierModels(ctx: Ctx, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select asset_id as id from asset_risks where tenant_id = ${ctx.tenantId} and model < ${sql.lit(RISK_MODEL)}
    order by asset_id limit ${limit}`)
  return idsIn(rows)
}

export async function removeOfAssets(ctx: Ctx, assetIds: readonly string[]): Promise<void> {
  for (const table of ['asset_risks', 'asset_risk_days', 'asset_weights'] as const)
    await ctx.db.about(assetIds).run(sql`
      delete from ${sql.table(table)} where tenant_id = ${ctx.tenantId} and asset_id = any(${[...assetIds]}::uuid[])`)
}
