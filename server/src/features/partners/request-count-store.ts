import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export interface Today {
  /** Requests since 00:00 UTC. */
  readonly requests: number
  /** The next 00:00 UTC. */
  readonly endsAt: string
}

export function today(ctx: Ctx, partnerId: string): Promise<Today> {
  return ctx.db.one(sql<Today>`
    select coalesce(sum(n), 0)::bigint as requests,
      (date_trunc('day', now() at time zone 'UTC') + interval '1 day') at time zone 'UTC' as "endsAt"
    from partner_requests
    where tenant_id = ${ctx.tenantId} and partner_id = ${partnerId} and day = (now() at time zone 'UTC')::date`)
}

export interface DayCount {
  /** `2026-03-14`, of UTC. */
  readonly day: string
  readonly requests: number
}

/** One for each of the last `days` days, the oldest first, today the last. */
export function perDay(ctx: Ctx, partnerId: string, days: number): Promise<DayCount[]> {
  return ctx.db.all(sql<DayCount>`
    select d.day::text as day, coalesce(r.n, 0)::bigint as requests
    from (select (now() at time zone 'UTC')::date - back as day from generate_series(0, ${days}::int - 1) as back) d
    left join partner_requests r
      on r.tenant_id = ${ctx.tenantId} and r.partner_id = ${partnerId} and r.day = d.day
    order by d.day`)
}

/** Counts of days that have none yet; `daysBack` is 1 for yesterday. */
export async function addPast(
  ctx: Ctx,
  partnerId: string,
  counts: readonly { readonly daysBack: number; readonly requests: number }[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into partner_requests (tenant_id, partner_id, day, n)
    select ${ctx.tenantId}, ${partnerId}, (now() at time zone 'UTC')::date - c."daysBack", c.requests
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as c("daysBack" int, requests bigint)
    on conflict do nothing`)
}

export async function removeBefore(system: Ctx, days: number): Promise<void> {
  await system.db.run(sql`
    delete from partner_requests where day < (now() at time zone 'UTC')::date - ${days}::int`)
}
