import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Collector } from './collector.ts'

const columns = sql`c.id, c.name, c.created_at as "createdAt", c.enrolled_at as "enrolledAt", c.version, c.address,
  c.last_seen_at as "lastSeenAt", c.revoked_at as "revokedAt"`

export async function add(
  ctx: Ctx,
  { id, name, createdAt }: { readonly id: string; readonly name: string; readonly createdAt: Date },
): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into collectors (tenant_id, id, name, created_at) values (${ctx.tenantId}, ${id}, ${name}, ${createdAt})
    on conflict (tenant_id, name) do nothing`)
  return added === 1
}

/** By name. */
export function collectors(ctx: Ctx): Promise<Collector[]> {
  return ctx.db.all(sql<Collector>`
    select ${columns} from collectors c where c.tenant_id = ${ctx.tenantId} order by c.name, c.id`)
}

/** Those of the ids that are there and not revoked. */
export function usable(ctx: Ctx, ids: readonly string[]): Promise<Collector[]> {
  return ctx.db.all(sql<Collector>`
    select ${columns} from collectors c
    where c.tenant_id = ${ctx.tenantId} and c.id = any(${[...ids]}::uuid[]) and c.revoked_at is null
    order by c.name, c.id`)
}

export function collector(ctx: Ctx, id: string): Promise<Collector | undefined> {
  return ctx.db.maybe(sql<Collector>`
    select ${columns} from collectors c where c.tenant_id = ${ctx.tenantId} and c.id = ${id}`)
}

/** Of a tenant's collectors, those that are silent no longer than `silenceMs`, the one with the least work first. */
export async function leastBusy(
  ctx: Ctx,
  ids: readonly string[],
  silenceMs: number,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  return ctx.db.maybe(sql<{ id: string; name: string }>`
    select c.id, c.name from collectors c
    where c.tenant_id = ${ctx.tenantId} and c.id = any(${[...ids]}::uuid[]) and c.revoked_at is null
      and c.last_seen_at > clock_timestamp() - make_interval(secs => ${silenceMs / 1_000})
    order by (select count(*) from collector_assignments a
      where a.tenant_id = ${ctx.tenantId} and a.collector_id = c.id), c.id
    limit 1`)
}

export async function noteSeen(
  ctx: Ctx,
  id: string,
  { version, address }: Pick<Collector, 'version' | 'address'>,
): Promise<void> {
  await ctx.db.run(sql`
    update collectors set last_seen_at = clock_timestamp(), version = ${version}, address = ${address}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function noteHeard(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update collectors set last_seen_at = clock_timestamp() where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function noteEnrolled(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update collectors set enrolled_at = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function revoke(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update collectors set revoked_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id} and revoked_at is null`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from collectors where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
