import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Discovery } from './discovery.ts'

const columns = sql`d.id, d.name, d.target_id as "targetId", t.name as "targetName", t.address as "targetAddress",
  d.types, d.hosts_at_once as "hostsAtOnce", d.cron, d.zone, d.windows, d.is_enabled as "isEnabled",
  d.next_at as "nextAt", d.skipped, d.created_at as "createdAt"`

export type DiscoveryFields = Pick<
  Discovery,
  'name' | 'targetId' | 'types' | 'hostsAtOnce' | 'cron' | 'zone' | 'windows' | 'isEnabled'
>

/** False when the name is taken. */
export async function add(ctx: Ctx, id: string, it: DiscoveryFields): Promise<boolean> {
  const written = await ctx.db.run(sql`
    insert into discoveries (tenant_id, id, name, target_id, types, hosts_at_once, cron, zone, windows, is_enabled, created_at)
    values (${ctx.tenantId}, ${id}, ${it.name}, ${it.targetId}, ${it.types}::text[], ${it.hostsAtOnce}, ${it.cron},
      ${it.zone}, ${JSON.stringify(it.windows)}::jsonb, ${it.isEnabled}, ${ctx.now()})
    on conflict (tenant_id, lower(name)) do nothing`)
  return written === 1
}

export async function isNameTaken(ctx: Ctx, name: string, by: string): Promise<boolean> {
  const { found } = await ctx.db.one(sql<{ found: boolean }>`
    select exists (select from discoveries where tenant_id = ${ctx.tenantId} and lower(name) = lower(${name})
      and id <> ${by}) as found`)
  return found
}

export async function change(ctx: Ctx, id: string, it: DiscoveryFields): Promise<void> {
  await ctx.db.run(sql`
    update discoveries set name = ${it.name}, target_id = ${it.targetId}, types = ${it.types}::text[],
      hosts_at_once = ${it.hostsAtOnce}, cron = ${it.cron}, zone = ${it.zone},
      windows = ${JSON.stringify(it.windows)}::jsonb, is_enabled = ${it.isEnabled}, next_at = null
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update discovery_runs set discovery_id = null where tenant_id = ${ctx.tenantId} and discovery_id = ${id}`)
  await ctx.db.run(sql`delete from discoveries where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function discoveries(ctx: Ctx): Promise<Discovery[]> {
  return ctx.db.all(sql<Discovery>`
    select ${columns} from discoveries d
    join scan_targets t on t.tenant_id = ${ctx.tenantId} and t.id = d.target_id
    where d.tenant_id = ${ctx.tenantId} order by lower(d.name), d.id`)
}

export function discovery(ctx: Ctx, id: string): Promise<Discovery | undefined> {
  return ctx.db.maybe(sql<Discovery>`
    select ${columns} from discoveries d
    join scan_targets t on t.tenant_id = ${ctx.tenantId} and t.id = d.target_id
    where d.tenant_id = ${ctx.tenantId} and d.id = ${id}`)
}

/** Locked until the transaction ends. */
export async function lock(ctx: Ctx, id: string): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    select id from discoveries where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
  return rows.length === 1
}

export async function setNextAt(ctx: Ctx, id: string, nextAt: Date | null): Promise<void> {
  await ctx.db.run(sql`
    update discoveries set next_at = ${nextAt} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Locks it; false when the time is not the discovery's any more. */
export async function lockDue(ctx: Ctx, id: string, dueAt: Date): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    select id from discoveries
    where tenant_id = ${ctx.tenantId} and id = ${id} and is_enabled and next_at = ${dueAt} for update`)
  return rows.length === 1
}

/** Why nothing came of a due time; empty: a run. */
export async function noteSkipped(ctx: Ctx, id: string, skipped: string): Promise<void> {
  await ctx.db.run(sql`
    update discoveries set skipped = ${skipped} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
