import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { STALE_DAYS_MIN } from '../attributes/source-precedence.ts'

/** Marks of assets that no source has seen for longer than expected. */

/**
 * Living assets without the mark that should have it. Their last sighting is looked up in the index of lists: no asset
 * is stale before `STALE_DAYS_MIN`.
 */
const overdue = (ctx: Ctx) => sql`
  a.tenant_id = ${ctx.tenantId} and a.archived_at is null and a.stale_since is null
  and a.last_seen < ${ctx.now()}::timestamptz - ${STALE_DAYS_MIN} * interval '1 day'
  and greatest(a.last_seen, a.revived_at) + a.stale_after_days * interval '1 day' < ${ctx.now()}`

export async function hasOverdue(ctx: Ctx): Promise<boolean> {
  const { found } = await ctx.db.one(
    sql<{ found: boolean }>`select exists (select from assets a where ${overdue(ctx)}) as found`,
  )
  return found
}

export interface Overdue {
  readonly id: string
  readonly lastSeen: string
}

/** Those seen longest ago, behind the last one that was looked at. */
export function someOverdue(ctx: Ctx, limit: number, after?: Overdue): Promise<Overdue[]> {
  const behind = after
    ? sql`and (a.last_seen, a.id) > (${after.lastSeen}::timestamptz, ${after.id}::uuid)`
    : sql``
  return ctx.db.all(sql<Overdue>`
    select a.id, a.last_seen::text as "lastSeen" from assets a
    where ${overdue(ctx)} ${behind} order by a.last_seen, a.id limit ${limit}`)
}

export async function markStale(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.about(ids).run(sql`
    update assets set stale_since = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
}
