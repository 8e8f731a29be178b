import { sql } from 'kysely'
import type { Ctx, Happening } from '#platform/context.ts'

/**
 * Inserts the events; returns the instant of all of them by the database's clock, in whole milliseconds, which a Date
 * holds exactly: id and instant together are the key of an event.
 */
export async function add(ctx: Ctx, events: readonly Omit<Happening, 'occurredAt'>[]): Promise<Date> {
  const ids = events.map((event) => event.eventId)
  const types = events.map((event) => event.type)
  const bodies = events.map((event) => event.body)
  const { createdAt } = await ctx.db.one(sql<{ createdAt: string }>`
    with added as (
      insert into events (id, tenant_id, type, body, created_at)
      select e.id, ${ctx.tenantId}, e.type, e.body, date_trunc('milliseconds', now())
      from unnest(${ids}::uuid[], ${types}::text[], ${bodies}::bytea[]) as e (id, type, body)
      returning created_at
    )
    select created_at as "createdAt" from added limit 1`)
  return new Date(createdAt)
}

/** Creates the daily partitions of the coming days and drops those older than `days`. */
export async function applyRetention(system: Ctx, days: number): Promise<void> {
  await system.db.run(sql`select keep_daily_partitions('events', ${days})`)
}
