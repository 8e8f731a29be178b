import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface FlowSecret {
  readonly name: string
  readonly updatedAt: string
  readonly updatedByName: string
}

export function list(ctx: Ctx): Promise<FlowSecret[]> {
  return ctx.db.all(sql<FlowSecret>`
    select name, updated_at as "updatedAt", updated_by_name as "updatedByName" from flow_secrets
    where tenant_id = ${ctx.tenantId} order by name`)
}

export function put(ctx: Ctx, name: string, sealed: Buffer): Promise<FlowSecret> {
  return ctx.db.one(sql<FlowSecret>`
    insert into flow_secrets (tenant_id, name, value_sealed, updated_at, updated_by_name)
    values (${ctx.tenantId}, ${name}, ${sealed}, ${ctx.now()}, ${ctx.actor.name ?? ctx.actor.id})
    on conflict (tenant_id, name) do update
      set value_sealed = excluded.value_sealed, updated_at = excluded.updated_at,
          updated_by_name = excluded.updated_by_name
    returning name, updated_at as "updatedAt", updated_by_name as "updatedByName"`)
}

export async function remove(ctx: Ctx, name: string): Promise<boolean> {
  return (
    (await ctx.db.run(sql`
    delete from flow_secrets where tenant_id = ${ctx.tenantId} and name = ${name}`)) === 1
  )
}

export function sealed(ctx: Ctx, names: readonly string[]): Promise<{ name: string; value: Buffer }[]> {
  return ctx.db.all(sql<{ name: string; value: Buffer }>`
    select name, value_sealed as value from flow_secrets
    where tenant_id = ${ctx.tenantId} and name = any(${[...names]}::text[])`)
}
