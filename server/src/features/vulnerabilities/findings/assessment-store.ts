import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { AssetAssessment } from './assessment-state.ts'

/**
 * Whether rules of any feed are loaded; scores (EPSS) and lists of exploited CVEs (KEV) have none. Samples are for
 * tenants with demo data alone.
 */
export async function hasAdvisories(ctx: Ctx, samplePart: string): Promise<boolean> {
  const { found } = await ctx.db.one(
    sql<{ found: boolean }>`
      select exists (select from advisory_rules) and (
        not exists (select from advisory_parts where part = ${samplePart})
        or exists (select from advisory_parts where part <> ${samplePart})
        or exists (select from tenants where id = ${ctx.tenantId} and has_demo_data)) as found`,
  )
  return found
}

export async function countAssets(ctx: Ctx): Promise<{ total: number; withSoftware: number }> {
  return ctx.db.one(sql<{ total: number; withSoftware: number }>`
    select (select count(*)::int from assets where tenant_id = ${ctx.tenantId} and archived_at is null) as total,
      (select count(distinct o.asset_id)::int from software_sets s
        join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.id = s.observation_id
        join assets a on a.tenant_id = ${ctx.tenantId} and a.id = o.asset_id and a.archived_at is null
        where s.tenant_id = ${ctx.tenantId}) as "withSoftware"`)
}

/** Those among the ids that are assets of the tenant, in no order. */
export async function assess(
  ctx: Ctx,
  assetIds: readonly string[],
  samplePart: string,
): Promise<AssetAssessment[]> {
  const isThere = await hasAdvisories(ctx, samplePart)
  // the empty one is that of packages whose distribution nobody told, or that no feed is known of
  const unknown = isThere ? ['', ...(await withoutRules(ctx, await ecosystemsOf(ctx, assetIds)))] : []
  return ctx.db.all(sql<AssetAssessment>`
    with followed as materialized (
      select exists (select from matching_cursors where tenant_id = ${ctx.tenantId}) as is_there
    )
    select a.id as "assetId", case
      when not exists (
        select from asset_observations o
        join software_sets s on s.tenant_id = ${ctx.tenantId} and s.observation_id = o.id
        where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
      ) then 'no_software'
      when not ${isThere}::boolean then 'no_advisories'
      when not (select is_there from followed) or exists (
        select from matching_due d where d.tenant_id = ${ctx.tenantId} and d.asset_id = a.id
      ) then 'pending'
      when exists (
        select from asset_observations o
        join software_sets s on s.tenant_id = ${ctx.tenantId} and s.observation_id = o.id
          and s.origin in ('dpkg', 'rpm', 'apk', 'pacman')
        left join software_systems y on y.tenant_id = ${ctx.tenantId} and y.observation_id = o.id
        where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
          and coalesce(y.ecosystem, '') = any(${unknown}::text[])
      ) or exists (
        select from ${listedPackages(ctx)} where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
          and w.ecosystem = any(${unknown}::text[])
      ) then 'no_distribution_advisories'
      else 'assessed' end as state
    from assets a where a.tenant_id = ${ctx.tenantId} and a.id = any(${[...assetIds]}::uuid[])`)
}

/** Packages of distributions in bills of materials, whose own URL says of which. */
const listedPackages = (ctx: Ctx) => sql`asset_observations o
  join software_sets s on s.tenant_id = ${ctx.tenantId} and s.observation_id = o.id and s.origin = 'sbom'
  join software w on w.tenant_id = ${ctx.tenantId} and w.id = any(s.ids) and w.purl ~ '^pkg:(deb|rpm|apk|alpm)/'`

/** Of the packages that the distributions of these assets built. */
async function ecosystemsOf(ctx: Ctx, assetIds: readonly string[]): Promise<string[]> {
  const ofAssets = sql`o.tenant_id = ${ctx.tenantId} and o.asset_id = any(${[...assetIds]}::uuid[])`
  const rows = await ctx.db.all(sql<{ ecosystem: string }>`
    select y.ecosystem from asset_observations o
    join software_systems y on y.tenant_id = ${ctx.tenantId} and y.observation_id = o.id
    where ${ofAssets} and y.ecosystem <> ''
    union select w.ecosystem from ${listedPackages(ctx)} where ${ofAssets} and w.ecosystem <> ''`)
  return rows.map(({ ecosystem }) => ecosystem)
}

/** Those of the ecosystems on which no feed that is loaded has a rule. */
async function withoutRules(ctx: Ctx, ecosystems: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ ecosystem: string }>`
    select ecosystem from unnest(${[...ecosystems]}::text[]) as asked (ecosystem)
    where not exists (select from advisory_rules r where r.ecosystem = asked.ecosystem)`)
  return rows.map(({ ecosystem }) => ecosystem)
}
