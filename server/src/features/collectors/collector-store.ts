import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { countOverTenants } from '#platform/observability/all-tenants.ts'
import type { Collector } from './collector.ts'

const columns = sql`c.id, c.name, c.created_at as "createdAt", c.enrolled_at as "enrolledAt", c.version, c.address,
  c.last_seen_at as "lastSeenAt", c.revoked_at as "revokedAt",
  c.shared_at as "sharedAt"`

export async function add(
  ctx: Ctx,
  {
    id,
    name,
    scope,
    createdAt,
  }: Readonly<Record<'id' | 'name' | 'scope', string>> & { readonly createdAt: Date },
): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into collectors (tenant_id, id, name, scope, created_at)
    values (${ctx.tenantId}, ${id}, ${name}, ${scope}, ${createdAt})
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

/**
 * Of a tenant's collectors that are silent no longer than `silenceMs`, one of the greatest number, and of those the one with
 * the least work.
 */
export async function leastBusy(
  ctx: Ctx,
  numbers: ReadonlyMap<string, number>,
  silenceMs: number,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  return ctx.db.maybe(sql<{ id: string; name: string }>`
    select c.id, c.name
    from unnest(${[...numbers.keys()]}::uuid[], ${[...numbers.values()]}::integer[]) as t (id, number)
    join collectors c on c.tenant_id = ${ctx.tenantId} and c.id = t.id
    where c.revoked_at is null
      and c.last_seen_at > clock_timestamp() - make_interval(secs => ${silenceMs / 1_000})
    order by t.number desc, (select count(*) from collector_assignments a
      where a.tenant_id = ${ctx.tenantId} and a.collector_id = c.id), c.id
    limit 1`)
}

export interface CollectorPoll extends Pick<Collector, 'version' | 'address'> {
  /** Made anew at each start. */
  readonly process: string
}

/**
 * Notes a process that asks for work. False when it is not the collector's: another took its place, or may not be replaced,
 * because two were seen with one identity and the one that has the place is still heard of.
 */
export async function takePlace(
  ctx: Ctx,
  id: string,
  { version, address, process }: CollectorPoll,
  { silenceMs, sharedMs }: { readonly silenceMs: number; readonly sharedMs: number },
): Promise<boolean> {
  const taken = await ctx.db.run(sql`
    update collectors set last_seen_at = clock_timestamp(), version = ${version}, address = ${address}, process = ${process},
      former_process = case when process <> ${process} then process else former_process end
    where tenant_id = ${ctx.tenantId} and id = ${id} and (process is null or process = ${process}
      or (former_process is distinct from ${process}::uuid
        and (shared_at is null or shared_at < clock_timestamp() - make_interval(secs => ${sharedMs / 1_000})
          or last_seen_at < clock_timestamp() - make_interval(secs => ${silenceMs / 1_000}))))`)
  return taken === 1
}

/** Whether that is news since so long; what is no news does not make it last longer. */
export async function noteShared(ctx: Ctx, id: string, sharedMs: number): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update collectors set shared_at = clock_timestamp()
    where tenant_id = ${ctx.tenantId} and id = ${id}
      and (shared_at is null or shared_at < clock_timestamp() - make_interval(secs => ${sharedMs / 1_000}))`)
  return changed === 1
}

/** Over all tenants, by state. */
export async function countByState(system: Ctx, silenceMs: number): Promise<Record<string, number>> {
  const [row] = await countOverTenants(
    system,
    sql<Record<string, number>>`
    select count(*) filter (where revoked_at is not null) as revoked,
      count(*) filter (where revoked_at is null and enrolled_at is null) as waiting,
      count(*) filter (where revoked_at is null and enrolled_at is not null and is_heard) as online,
      count(*) filter (where revoked_at is null and enrolled_at is not null and not is_heard) as offline
    from (select revoked_at, enrolled_at,
      coalesce(last_seen_at > ${system.now()}::timestamptz - make_interval(secs => ${silenceMs / 1_000}), false) as is_heard
      from collectors) as c`,
  )
  return { ...row }
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
