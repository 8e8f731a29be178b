import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ConnectedSource } from './source.ts'

const columns = sql`id, kind, name, connected_at as "connectedAt"`

export function source(ctx: Ctx, kind: string, name: string): Promise<ConnectedSource | undefined> {
  return ctx.db.maybe(sql<ConnectedSource>`
    select ${columns} from sources where tenant_id = ${ctx.tenantId} and kind = ${kind} and name = ${name}`)
}

/** Undefined when a concurrent transaction added it first. */
export function add(ctx: Ctx, row: ConnectedSource): Promise<ConnectedSource | undefined> {
  return ctx.db.maybe(sql<ConnectedSource>`
    insert into sources (id, tenant_id, kind, name, connected_at)
    values (${row.id}, ${ctx.tenantId}, ${row.kind}, ${row.name}, ${row.connectedAt})
    on conflict (tenant_id, kind, name) do nothing returning ${columns}`)
}

export function sources(ctx: Ctx): Promise<ConnectedSource[]> {
  return ctx.db.all(sql<ConnectedSource>`
    select ${columns} from sources where tenant_id = ${ctx.tenantId} order by connected_at, id`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from sources where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
