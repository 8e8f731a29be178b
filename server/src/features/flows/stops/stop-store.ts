import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface FlowStop {
  readonly stoppedAt: string
  readonly stoppedByName: string
  readonly reason: string
}

/** An expression: why the tenant's flows are stopped; null: they are not. */
export const stopReason = (ctx: Ctx): RawBuilder<string | null> =>
  sql`(select 'stopped for the tenant: ' || o.reason from flow_stops o where o.tenant_id = ${ctx.tenantId})`

/** Why the flows of all tenants are stopped; undefined: they are not. */
export async function installationStopReason(ctx: Ctx): Promise<string | undefined> {
  const stop = await ctx.db.maybe(sql<{ reason: string }>`
    select 'stopped for the installation: ' || reason as reason from flow_installation_stop`)
  return stop?.reason
}

export function ofTenant(ctx: Ctx): Promise<FlowStop | undefined> {
  return ctx.db.maybe(sql<FlowStop>`
    select stopped_at as "stoppedAt", stopped_by_name as "stoppedByName", reason from flow_stops
    where tenant_id = ${ctx.tenantId}`)
}

/** False when they are stopped already. */
export async function stop(ctx: Ctx, reason: string): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into flow_stops (tenant_id, stopped_at, stopped_by_name, reason)
    values (${ctx.tenantId}, ${ctx.now()}, ${ctx.actor.name ?? ctx.actor.id}, ${reason})
    on conflict (tenant_id) do nothing`)
  return added === 1
}

export async function resume(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.run(sql`delete from flow_stops where tenant_id = ${ctx.tenantId}`)) === 1
}

export async function stopInstallation(system: Ctx, reason: string): Promise<void> {
  await system.db.run(sql`
    insert into flow_installation_stop (stopped_at, reason) values (${system.now()}, ${reason})
    on conflict (is_only) do update set reason = excluded.reason`)
}

export async function resumeInstallation(system: Ctx): Promise<boolean> {
  return (await system.db.run(sql`delete from flow_installation_stop where is_only`)) === 1
}
