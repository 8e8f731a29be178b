import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { tryLockOfTenant } from '#platform/database/advisory-locks.ts'

/** Assets to judge again. */

/** True: the transaction of the caller had none before, so a job is needed that works on them. */
export async function markDue(ctx: Ctx, assetIds: readonly string[]): Promise<boolean> {
  const { isFirst } = await ctx.db.one(sql<{ isFirst: boolean }>`
    with marked as (
      insert into compliance_due (tenant_id, asset_ids) values (${ctx.tenantId}, ${[...assetIds]}::uuid[])
    )
    select not exists (select from compliance_due
      where tenant_id = ${ctx.tenantId} and transaction_id = pg_current_xact_id()) as "isFirst"`)
  return isFirst
}

/** Until the end of the transaction; false: another one judges what is due. */
export async function tryJudgeDue(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.one(tryLockOfTenant('compliance', ctx.tenantId))).isOurs
}

export interface Due {
  readonly id: number
  readonly assetIds: readonly string[]
}

/** The longest waiting first. */
export function nextDue(ctx: Ctx, limit: number): Promise<Due[]> {
  return ctx.db.all(sql<Due>`
    select id, asset_ids as "assetIds" from compliance_due where tenant_id = ${ctx.tenantId} order by id limit ${limit}`)
}

/** Removes only these entries: an asset that has changed since has another. */
export async function removeDue(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_due where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::bigint[])`)
}

/** Which transactions had ended by now, as PostgreSQL writes it. */
export async function endedTransactions(ctx: Ctx): Promise<string> {
  return (await ctx.db.one(sql<{ ended: string }>`select pg_current_snapshot()::text as ended`)).ended
}

/** What became due by transactions that had ended. */
export async function removeDueOf(ctx: Ctx, ended: string): Promise<void> {
  await ctx.db.run(sql`
    delete from compliance_due
    where tenant_id = ${ctx.tenantId} and pg_visible_in_snapshot(transaction_id, ${ended}::pg_snapshot)`)
}

export async function removeAllDue(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`delete from compliance_due where tenant_id = ${ctx.tenantId}`)
}

/** How many assets counts were wrong by since the installation was made. */
export async function driftCorrected(ctx: Ctx): Promise<number> {
  return (await ctx.db.one(sql<{ n: number }>`select corrected as n from compliance_drift`)).n
}

export async function addDrift(ctx: Ctx, assets: number): Promise<void> {
  await ctx.db.run(sql`update compliance_drift set corrected = corrected + ${assets}`)
}
