import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** What collecting any report asks. */

/** One state of the database from here to the end of the transaction, in which nothing has been asked before. */
export async function readOneState(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`set transaction isolation level repeatable read, read only`)
}

/** How many of the ids are assets of the tenant. */
export async function countAssets(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const { found } = await ctx.db.one(sql<{ found: number }>`
    select count(*) as found from assets where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
  return found
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
