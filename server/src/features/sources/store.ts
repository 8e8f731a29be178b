import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ConnectedSource } from './source.ts'

const columns = sql`id, kind, name, connected_at as "connectedAt"`

export function source(ctx: Ctx, kind: string, key: string): Promise<ConnectedSource | undefined> {
  return ctx.db.maybe(sql<ConnectedSource>`
    select ${columns} from sources where tenant_id = ${ctx.tenantId} and kind = ${kind} and key = ${key}`)
}

export function sourceById(ctx: Ctx, id: string): Promise<ConnectedSource | undefined> {
  return ctx.db.maybe(
    sql<ConnectedSource>`select ${columns} from sources where tenant_id = ${ctx.tenantId} and id = ${id}`,
  )
}

/** Undefined when a concurrent transaction added it first. */
export function add(
  ctx: Ctx,
  row: ConnectedSource & { readonly key: string },
): Promise<ConnectedSource | undefined> {
  return ctx.db.maybe(sql<ConnectedSource>`
    insert into sources (id, tenant_id, kind, key, name, connected_at)
    values (${row.id}, ${ctx.tenantId}, ${row.kind}, ${row.key}, ${row.name}, ${row.connectedAt})
    on conflict (tenant_id, kind, key) do nothing returning ${columns}`)
}

export async function rename(ctx: Ctx, id: string, name: string): Promise<void> {
  await ctx.db.run(sql`update sources set name = ${name} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function sources(ctx: Ctx): Promise<ConnectedSource[]> {
  return ctx.db.all(sql<ConnectedSource>`
    select ${columns} from sources where tenant_id = ${ctx.tenantId} order by connected_at, id`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from sources where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
