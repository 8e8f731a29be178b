import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { FACETS_GENERATION } from '../attributes/asset-facets.ts'

/** As text, for the planner to see that the index of such rows has them. */
const generation = sql.lit(FACETS_GENERATION)

export async function tenantsWithBacklog(system: Ctx): Promise<string[]> {
  const rows = await system.db.all(sql<{ id: string }>`
    select distinct tenant_id as id from assets where device_type is null
    union select distinct tenant_id from assets where facets_generation < ${generation}`)
  return rows.map(({ id }) => id)
}

export async function backlog(ctx: Ctx, limit: number): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from assets
    where tenant_id = ${ctx.tenantId} and (device_type is null or facets_generation < ${generation}) limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Whether a job of this name is queued and not started. */
export async function isWaiting(ctx: Ctx, name: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from jobs where tenant_id = ${ctx.tenantId} and name = ${name} and leased_until is null
      and failed_at is null) as found`)
  return found
}
