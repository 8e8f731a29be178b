import { sql } from 'kysely'
import { withCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { among, reported } from '../kinds/asset-rows-store.ts'

/** What collecting any report asks. */

const ASSETS_WHERE_MAX = 100_000

/**
 * Assets that the condition is true of, ascending: living ones, unless it asks about archived ones. Throws 400, which
 * names `where`, also for more than 100,000.
 */
export async function assetsWhere(ctx: Ctx, text: string): Promise<string[]> {
  const found = await withCondition(ctx, { subject: 'asset', text }, (inner, { from, where }) =>
    inner.db.all(sql<{ id: string }>`
      select a.id from ${from} where ${where} order by a.id limit ${ASSETS_WHERE_MAX + 1}`),
  )
  // the time that a condition may take ends with it, and the transaction goes on
  await ctx.db.run(sql`set local statement_timeout to default`)
  if (found.length > ASSETS_WHERE_MAX)
    throw invalid('where', `is true of more than ${ASSETS_WHERE_MAX} assets; narrow it, or choose all assets`)
  return found.map(({ id }) => id)
}

/** Those of the ids that are living assets of the tenant, ascending. */
export async function livingAmong(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const found = await ctx.db.all(sql<{ id: string }>`
    select a.id from assets a
    where a.tenant_id = ${ctx.tenantId} and a.archived_at is null and ${among(ids, 'a.id')} order by a.id`)
  return found.map(({ id }) => id)
}

/** How many a report is about: the chosen ones, or all living ones. */
export async function countAssets(ctx: Ctx, ids: readonly string[] | undefined): Promise<number> {
  const { found } = await ctx.db.one(sql<{ found: number }>`
    select count(*) as found from assets a
    where a.tenant_id = ${ctx.tenantId} and ${reported(ids)}`)
  return found
}

/** Followed by an asset's id: where people find it. */
export async function assetUrl(ctx: Ctx): Promise<string> {
  const { slug } = await ctx.db.one(
    sql<{ slug: string }>`select slug from tenants where id = ${ctx.tenantId}`,
  )
  return `${ctx.publicUrl.replace(/\/$/, '')}/t/${slug}/assets/`
}

/** Scans that failed in the time given. */
export async function countFailedScans(ctx: Ctx, from: Date, until: Date): Promise<number> {
  const { found } = await ctx.db.one(sql<{ found: number }>`
    select count(*) as found from scans
    where tenant_id = ${ctx.tenantId} and status = 'failed' and finished_at >= ${from} and finished_at < ${until}`)
  return found
}

/** Targets that no scan has completed. */
export async function countUnscannedTargets(ctx: Ctx): Promise<number> {
  const { found } = await ctx.db.one(sql<{ found: number }>`
    select count(*) as found from scan_targets t
    where t.tenant_id = ${ctx.tenantId} and not exists (
      select from scans s where s.tenant_id = ${ctx.tenantId} and s.target_id = t.id and s.status = 'completed')`)
  return found
}

/** The tenant's, as people call it. */
export async function organisationName(ctx: Ctx): Promise<string> {
  const { name } = await ctx.db.one(
    sql<{ name: string }>`select name from tenants where id = ${ctx.tenantId}`,
  )
  return name
}
