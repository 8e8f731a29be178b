import { sql } from 'kysely'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'

/** How far the looks of a large estate have come. */

export interface Progress {
  /** RFC 3339 */
  readonly lookedUntil: string
  readonly lastAssetId: string | null
  /** RFC 3339 */
  readonly feedsReadAt: string | null
}

/** Undefined: no round has ended yet. */
export function progress(ctx: Ctx): Promise<Progress | undefined> {
  return ctx.db.maybe(sql<Progress>`
    select looked_until as "lookedUntil", last_asset_id as "lastAssetId", feeds_read_at as "feedsReadAt"
    from compliance_rounds where tenant_id = ${ctx.tenantId}`)
}

/** `lookedUntil` never goes back. */
export async function writeProgress(
  ctx: Ctx,
  { lookedUntil, lastAssetId, feedsReadAt }: Progress,
): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_rounds as r (tenant_id, looked_until, last_asset_id, feeds_read_at)
    values (${ctx.tenantId}, ${lookedUntil}, ${lastAssetId}, ${feedsReadAt})
    on conflict (tenant_id) do update set looked_until = greatest(r.looked_until, excluded.looked_until),
      last_asset_id = excluded.last_asset_id, feeds_read_at = excluded.feeds_read_at`)
}

/** Those that were judged before. */
export async function countAssets(ctx: Ctx): Promise<number> {
  return (
    await ctx.db.one(sql<{ n: number }>`
      select count(*) as n from compliance_assets where tenant_id = ${ctx.tenantId}`)
  ).n
}

/** Ids of assets for which the condition holds, archived ones too; so many at most. */
export async function assetsWhere(
  ctx: Ctx,
  {
    subject,
    condition,
    limit,
  }: { readonly subject: Subject; readonly condition: Condition; readonly limit: number },
): Promise<string[]> {
  const { id, from, where, vocabulary } = subject
  const holds = await conditionSql(condition, { now: ctx.now(), vocabulary, isFilter: true })
  const rows = await ctx.db.all(sql<{ id: string }>`
    select ${id} as id from ${from} where ${where} and ${holds} limit ${limit}`)
  return rows.map((it) => it.id)
}
