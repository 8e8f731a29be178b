import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ArchiveRule } from './archive-rule.ts'

/** Rules that archive what no source has seen for long. */

export function rules(ctx: Ctx): Promise<ArchiveRule[]> {
  return ctx.db.all(sql<ArchiveRule>`
    select source_kind as "sourceKind", days from asset_archive_rules
    where tenant_id = ${ctx.tenantId} order by source_kind`)
}

export async function replaceRules(ctx: Ctx, given: readonly ArchiveRule[]): Promise<void> {
  await ctx.db.run(sql`delete from asset_archive_rules where tenant_id = ${ctx.tenantId}`)
  if (given.length === 0) return
  await ctx.db.run(sql`
    insert into asset_archive_rules (tenant_id, source_kind, days)
    select ${ctx.tenantId}, kind, days
    from unnest(${given.map((it) => it.sourceKind)}::text[], ${given.map((it) => it.days)}::integer[]) as r(kind, days)`)
}

const DAY_MS = 86_400_000

/**
 * Living assets of which every source is overdue; a source whose kind has no rule never is, so assets that it has are
 * never archived. The newest sighting or revival by a person is what counts.
 */
function overdue(ctx: Ctx, given: readonly ArchiveRule[]): RawBuilder<unknown> {
  const ago = (days: number) => new Date(ctx.now().getTime() - days * DAY_MS)
  const least = ago(Math.min(...given.map(({ days }) => days)))
  const others = given.find(({ sourceKind }) => sourceKind === '')
  const kinds = given.map(({ sourceKind }) => sourceKind)
  const limit = sql`coalesce(r.since, ${others ? ago(others.days) : null}::timestamptz)`
  return sql`a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.last_seen < ${least}
    and exists (select from asset_observations o where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id)
    and not exists (
      select from asset_observations o
      left join unnest(${kinds}::text[], ${given.map(({ days }) => ago(days))}::timestamptz[]) as r(kind, since)
        on r.kind = o.source_kind
      where o.tenant_id = ${ctx.tenantId} and o.asset_id = a.id
        and (${limit} is null or greatest(o.last_seen, a.revived_at) >= ${limit}))`
}

export async function countOverdue(ctx: Ctx, given: readonly ArchiveRule[]): Promise<number> {
  const { n } = await ctx.db.one(
    sql<{ n: number }>`select count(*) as n from assets a where ${overdue(ctx, given)}`,
  )
  return n
}

/** The longest unseen first. */
export async function someOverdue(ctx: Ctx, given: readonly ArchiveRule[], limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select a.id from assets a where ${overdue(ctx, given)} order by a.last_seen, a.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
