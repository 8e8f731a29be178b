import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { ReportSchedule } from './report-schedule.ts'

/** The schedule of a report; null: none. */
export async function save(ctx: Ctx, id: string, schedule: ReportSchedule | null): Promise<void> {
  await ctx.db.run(sql`
    update reports set schedule = ${schedule?.cron ?? null}, zone = ${schedule?.zone ?? null},
      recipients = ${[...(schedule?.recipients ?? [])]}::text[], next_run_at = null, paused_because = null
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function setNextAt(ctx: Ctx, id: string, nextAt: Date): Promise<void> {
  await ctx.db.run(sql`
    update reports set next_run_at = ${nextAt} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function pause(ctx: Ctx, id: string, because: string): Promise<void> {
  await ctx.db.run(sql`
    update reports set next_run_at = null, paused_because = ${because}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
